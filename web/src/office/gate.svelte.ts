/** The door of the back office: a second factor, and who is there after idle time (OFF-06). */

import type { Failure, OfficeAccess } from "../wire";

type Needed = Exclude<OfficeAccess["door"], "open">;

/** What each refusal asks for. */
const ASKED: Readonly<Record<string, Needed>> = { "login/idle": "idle", "factor/needed": "code", "factor/enrol": "enrol" };

class Gate {
  /** What the operator has to prove before going on. */
  needed = $state<Needed | null>(null);
  #waiting: ((passed: boolean) => void)[] = [];

  /** What a refusal asks the operator for; null where it is about something else. */
  askedBy(failure: Failure): Needed | null {
    return ASKED[failure.code] ?? null;
  }

  /** Resolves when it was proved, or the operator has gone away. */
  passed(needed: Needed): Promise<boolean> {
    this.needed = needed;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  open(passed: boolean): void {
    this.needed = null;
    for (const resolve of this.#waiting.splice(0)) resolve(passed);
  }
}

export const gate = new Gate();
