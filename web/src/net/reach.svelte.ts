/**
 * Whether the house can be reached over HTTP, as every page tells it (PLT-67): the browser's network, answers that are late
 * or lost, and what was sent whose outcome is not known.
 */

import { LATE } from "./socket";
import { stage } from "./stage";

/** Milliseconds for which a page says that the house is back. */
const RETURNED = 8000;
/** Milliseconds for which what was pressed last stands for what is sent. */
const PRESSED = 500;

/** A request on its way; `words` is what was pressed for it, null where nothing is changed by it. */
interface Sent {
  readonly words: string | null;
  readonly expected: () => void;
}

class Reach {
  /** Whether the browser has no network. */
  offline = $state(typeof window !== "undefined" && !navigator.onLine);
  /** Requests whose answers are late. */
  #late = $state.raw<readonly Sent[]>([]);
  /** Whether the last request did not get through. */
  #broken = $state(false);
  /** What was sent without an answer ever coming: it may have been done. */
  unknown = $state.raw<readonly string[]>([]);
  /** Late answers that have come. */
  answered = $state.raw<readonly string[]>([]);
  /** Whether the house is back: it is said for a while. */
  returned = $state(false);
  /** When the house answered last, by the page's clock. */
  seen = $state(stage.now());
  #pressed: { readonly words: string; readonly at: number } | null = null;
  #cancel: () => void = () => undefined;

  /** Whether what a page shows may not be so any more. */
  readonly lost: boolean = $derived(this.offline || this.#broken || this.#late.length > 0);
  /** What was sent and has no answer yet. */
  readonly sent: readonly string[] = $derived(this.#late.flatMap(({ words }) => words ?? []));

  constructor() {
    if (typeof window === "undefined") return;
    addEventListener("offline", () => this.#lose(() => (this.offline = true)));
    addEventListener("online", () => {
      this.#broken = true; // until the house has answered
      this.offline = false;
    });
    document.addEventListener("click", (event) => this.#press(event), { capture: true });
  }

  /** Forget what is not known any more: the player has read it. */
  forget(): void {
    this.unknown = [];
  }

  /** A request goes out. */
  begin(changes: boolean): Sent {
    const words = changes ? this.#takeWords() : null;
    const sent: Sent = { words, expected: stage.later(() => this.#lose(() => (this.#late = [...this.#late, sent])), LATE) };
    return sent;
  }

  /** A request was answered, or did not get through. */
  end(sent: Sent, arrived: boolean): void {
    const { words } = sent;
    const [was, late] = [this.lost, this.#late.includes(sent)];
    sent.expected();
    if (late) this.#late = this.#late.filter((other) => other !== sent);
    if (!arrived) {
      this.#lose(() => (this.#broken = true));
      if (words !== null) this.unknown = [...this.unknown.filter((other) => other !== words), words];
      return;
    }
    this.#broken = false;
    this.seen = stage.now();
    if (words !== null) this.unknown = this.unknown.filter((other) => other !== words);
    if (late && words !== null) this.answered = [...this.answered, words];
    if (was && !this.lost) this.#return();
  }

  #lose(change: () => void): void {
    if (!this.lost) this.answered = [];
    this.#cancel();
    this.returned = false;
    change();
  }

  #return(): void {
    this.returned = true;
    this.#cancel = stage.later(() => (this.returned = false), RETURNED);
  }

  #press({ target }: Event): void {
    const button = target instanceof Element ? target.closest("button, [role=switch], label") : null;
    const words = (button?.ariaLabel ?? button?.textContent ?? "").trim().replace(/\s+/g, " ");
    this.#pressed = words ? { words, at: stage.now() } : null;
  }

  /** What was pressed a moment ago; empty for what the page sends by itself. */
  #takeWords(): string {
    const pressed = this.#pressed;
    this.#pressed = null;
    return pressed && stage.now() - pressed.at < PRESSED ? pressed.words : "";
  }
}

export const reach = new Reach();
