/** The browser as the game's surroundings. */

import type { Surroundings, Wire } from "./socket";

/** What a game needs of the browser: the line, the time, chance, and the wish for motion. */
export interface Stage extends Surroundings {
  /** As `later`, when a frame has been drawn: there is most time then until the next one. */
  paced(act: () => void, milliseconds: number): () => void;
  /** Whether the player wants things to move. */
  moves(): boolean;
  now(): number;
  newSeed(): string;
}

function hex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** How long a frame is waited for: a page that is not seen draws none. */
const NO_FRAME = 50;

/** Act when the next frame has been drawn. */
function afterFrame(act: () => void): () => void {
  let timer = setTimeout(act, NO_FRAME);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(act);
  });
  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
}

export const stage: Stage = {
  connect(protocol) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    return new WebSocket(`${scheme}//${location.host}/api/v1/socket`, protocol) as Wire;
  },
  // Not crypto.randomUUID, which is missing on plain http.
  newId: () => hex(16),
  newSeed: () => hex(16),
  later(act, milliseconds) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
  paced(act, milliseconds) {
    let cancel: () => void = this.later(() => (cancel = afterFrame(act)), milliseconds);
    return () => cancel();
  },
  // What the system asks for, or the player in the settings.
  moves: () =>
    document.documentElement.dataset.motion !== "less" && !matchMedia("(prefers-reduced-motion: reduce)").matches,
  now: () => Date.now(),
  random: () => Math.random(),
  wake(act) {
    const online = () => act(true);
    const shown = () => {
      if (document.visibilityState === "visible") act(false);
    };
    addEventListener("online", online);
    addEventListener("pageshow", shown);
    document.addEventListener("visibilitychange", shown);
    return () => {
      removeEventListener("online", online);
      removeEventListener("pageshow", shown);
      document.removeEventListener("visibilitychange", shown);
    };
  },
  lose(act) {
    addEventListener("offline", act);
    return () => removeEventListener("offline", act);
  },
};
