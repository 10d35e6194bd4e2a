/** Logging in. When the house answers that one must wait, the page waits and tries again by itself. */

import type { Reply } from "../net/api";
import type { Surroundings } from "../net/socket";

/** The longest wait, in seconds, after which the page still tries again. */
export const LONGEST_WAIT = 60;
/** How often it tries in all. */
export const MOST_TRIES = 10;

export class Door {
  /** Whole seconds until the next try; null while there is nothing to wait for. */
  seconds = $state<number | null>(null);

  readonly #later: Surroundings["later"];
  #cancel: () => void = () => undefined;

  constructor(around: Pick<Surroundings, "later">) {
    this.#later = around.later;
  }

  /** Ask to come in until the house lets the player in, or refuses for another reason than too many at once. */
  async enter<T>(ask: () => Promise<Reply<T>>): Promise<Reply<T>> {
    let reply = await ask();
    for (let tries = 1; tries < MOST_TRIES; tries += 1) {
      const seconds = waitOf(reply);
      if (seconds === null) break;
      await this.#wait(seconds);
      reply = await ask();
    }
    return reply;
  }

  /** The page is left: nothing is tried any more. */
  stop(): void {
    this.#cancel();
    this.seconds = null;
  }

  /** Count the seconds down. */
  #wait(seconds: number): Promise<void> {
    return new Promise((over) => {
      const count = (left: number): void => {
        this.seconds = left > 0 ? left : null;
        if (left > 0) this.#cancel = this.#later(() => count(left - 1), 1000);
        else over();
      };
      count(seconds);
    });
  }
}

/** The seconds to wait that a refusal carries; null if none, or more than a person would wait. */
function waitOf(reply: Reply<unknown>): number | null {
  if (!("failure" in reply) || reply.failure.code !== "rate/limited") return null;
  const seconds = Number(reply.failure.params.seconds);
  return seconds > 0 && seconds <= LONGEST_WAIT ? seconds : null;
}
