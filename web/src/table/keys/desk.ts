/** What keys do at this page's table. */

import type { SoloGame } from "../../solo/model/solo.svelte";
import { firstPlace, WINDOWS } from "../../shell/focus";
import { nearest, type Desk, type Direction } from "./keys";

const BUTTONS = "button, a[href], input";
const FIELDS = "input:not([type=checkbox]), select, textarea, [contenteditable]";

export class TableDesk implements Desk {
  /** Whether the keyboard's place was chosen with a pointer: then the player does not look at it. */
  pointed = false;
  readonly #game: Pick<SoloGame, "repeatOrDouble" | "undo" | "clear">;

  constructor(game: Pick<SoloGame, "repeatOrDouble" | "undo" | "clear">) {
    this.#game = game;
  }

  away(): boolean {
    return document.querySelector(WINDOWS) !== null || stands(FIELDS);
  }

  onButton(): boolean {
    return !this.pointed && stands(BUTTONS);
  }

  press(name: string): boolean {
    const button = document.querySelector<HTMLElement>(`[data-key="${name}"]`);
    if (!button || button.matches(":disabled, [aria-disabled=true]")) return false;
    button.click();
    return true;
  }

  repeat(): void {
    this.#game.repeatOrDouble();
  }

  undo(): void {
    this.#game.undo();
  }

  clear(): void {
    this.#game.clear();
  }

  move(direction: Direction): boolean {
    const all = [...document.querySelectorAll<HTMLElement>("[data-spot]:enabled")].filter((spot) => spot.checkVisibility());
    const here = all.find((spot) => spot === document.activeElement);
    const next = here
      ? nearest(middle(here), all.map(middle), direction)?.element
      : firstPlace();
    if (!next) return false;
    this.pointed = false;
    next.focus();
    return true;
  }
}

function stands(on: string): boolean {
  return Boolean(document.activeElement?.matches(on));
}

/** The middle of an element on the screen. */
function middle(element: HTMLElement): { x: number; y: number; element: HTMLElement } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, element };
}
