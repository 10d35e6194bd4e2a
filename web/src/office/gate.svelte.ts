/** Operators who were idle say their password again before they go on (OFF-06). */

import type { Failure } from "../wire";

class Gate {
  /** Whether the password is being asked for. */
  closed = $state(false);
  #waiting: ((passed: boolean) => void)[] = [];

  /** Whether a refusal asks for the password. */
  closes(failure: Failure): boolean {
    return failure.code === "login/idle";
  }

  /** Resolves when the operator has said it, or has gone away. */
  passed(): Promise<boolean> {
    this.closed = true;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  open(passed: boolean): void {
    this.closed = false;
    for (const resolve of this.#waiting.splice(0)) resolve(passed);
  }
}

export const gate = new Gate();
