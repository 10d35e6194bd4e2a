/**
 * The keyboard at a table (PLT-45). A key stands for the button that carries its name, so that a shortcut does what a
 * press would, and only where the button can be pressed.
 */

/** What of a key press matters. */
export interface Stroke {
  readonly key: string;
  readonly repeat: boolean;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  preventDefault(): void;
}

export type Direction = "left" | "right" | "up" | "down";

/** What keys do at a table. */
export interface Desk {
  /** Whether keys are not for the table now: a window is open, or a field has the focus (PLT-68). */
  away(): boolean;
  /** Whether the keyboard stands on a button, which space and enter then press by themselves. */
  onButton(): boolean;
  /** Press the button that carries a key's name. */
  press(name: string): boolean;
  /** The last bets; on chips, twice as many. */
  repeat(): void;
  undo(): void;
  clear(): void;
  /** Go to the next place for chips. */
  move(direction: Direction): boolean;
}

/** How long undo is held to clear the table. */
export const HOLD = 3000;

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};

/** The name by which a button carries a key: `c`, `shift+s`, `1`; null for keys that no button has. */
export function keyName({ key, shiftKey, ctrlKey, metaKey, altKey }: Stroke): string | null {
  if (ctrlKey || metaKey || altKey || !/^[a-z0-9]$/i.test(key)) return null;
  return shiftKey ? `shift+${key.toLowerCase()}` : key.toLowerCase();
}

export function isUndo({ key, ctrlKey, metaKey, altKey, shiftKey }: Stroke): boolean {
  if (altKey || shiftKey) return false;
  return ctrlKey || metaKey ? key.toLowerCase() === "z" : key === "Delete" || key === "Backspace";
}

export class Keys {
  readonly #desk: Desk;
  readonly #later: (act: () => void, milliseconds: number) => () => void;
  #release: (() => void) | null = null;
  #space = false;

  constructor(desk: Desk, later: (act: () => void, milliseconds: number) => () => void) {
    this.#desk = desk;
    this.#later = later;
  }

  down(stroke: Stroke): void {
    const desk = this.#desk;
    // One press, one step: held on, it would press the button that comes next.
    if (stroke.key === "Enter" && stroke.repeat) stroke.preventDefault();
    if (desk.away()) return;
    if (isUndo(stroke)) {
      stroke.preventDefault();
      this.#hold(stroke);
    } else if (stroke.key === " " && !desk.onButton()) {
      stroke.preventDefault();
      this.#space = true;
      if (!stroke.repeat) desk.repeat();
    } else if (ARROWS[stroke.key]) {
      if (desk.move(ARROWS[stroke.key] ?? "left")) stroke.preventDefault();
    } else if (!stroke.repeat) {
      const name = keyName(stroke);
      if (name !== null && desk.press(name)) stroke.preventDefault();
    }
  }

  up(stroke: Stroke): void {
    // A button would take the end of a press whose beginning was not for it.
    if (stroke.key === " " && this.#space) stroke.preventDefault();
    this.#space = false;
    this.letGo();
  }

  /** No key is held any more, or none that is known of: the page has lost the keyboard. */
  letGo(): void {
    this.#release?.();
    this.#release = null;
  }

  /** Undo at once; held on, everything. */
  #hold(stroke: Stroke): void {
    if (stroke.repeat || this.#release) return;
    this.#desk.undo();
    this.#release = this.#later(() => {
      if (!this.#desk.away()) this.#desk.clear();
    }, HOLD);
  }
}

/** A place on the screen by its middle. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The place to go to from another, among all: the nearest in the direction, straight ones before slanted ones. */
export function nearest<T extends Spot>(from: Spot, all: readonly T[], direction: Direction): T | null {
  const across = direction === "left" || direction === "right";
  const sign = direction === "left" || direction === "up" ? -1 : 1;
  let best: T | null = null;
  let least = Infinity;
  for (const spot of all) {
    const along = sign * (across ? spot.x - from.x : spot.y - from.y);
    const aside = Math.abs(across ? spot.y - from.y : spot.x - from.x);
    if (along < 4) continue;
    const distance = along + 6 * aside;
    if (distance < least) [best, least] = [spot, distance];
  }
  return best;
}
