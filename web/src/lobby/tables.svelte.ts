/** The live tables as the lobby shows them (PLT-44): sent over a socket to players, polled for visitors who are not logged in. */

import { SUBPROTOCOL, type Failure, type TableHead, type Message } from "../wire";
import { tables as askTables } from "../net/api";
import type { Surroundings } from "../net/socket";

/** Milliseconds between two polls, and before a broken connection is opened again. */
export const LOOK_AGAIN = 5000;

export class Tables {
  list = $state.raw<readonly TableHead[]>([]);
  /** Whether a list has arrived. */
  known = $state(false);
  failure = $state.raw<Failure | null>(null);

  readonly #around: Surroundings;
  #stop: () => void = () => undefined;

  constructor(around: Surroundings) {
    this.#around = around;
  }

  /** Keep the list up to date until `stop`. */
  watch(player: boolean): void {
    this.stop();
    if (player) this.#listen();
    else this.#look();
  }

  stop(): void {
    this.#stop();
    this.#stop = () => undefined;
  }

  #take(heads: readonly TableHead[]): void {
    this.list = heads;
    this.known = true;
    this.failure = null;
  }

  #look(): void {
    let over = false;
    let cancel: () => void = () => undefined;
    this.#stop = () => {
      over = true;
      cancel();
    };
    void askTables().then((reply) => {
      if (over) return;
      if ("value" in reply) this.#take(reply.value.tables);
      else this.failure = reply.failure;
      cancel = this.#around.later(() => this.#look(), LOOK_AGAIN);
    });
  }

  #listen(): void {
    let over = false;
    let cancel: () => void = () => undefined;
    const wire = this.#around.connect(SUBPROTOCOL);
    this.#stop = () => {
      over = true;
      cancel();
      wire.close();
    };
    wire.onopen = () => wire.send(JSON.stringify({ type: "watch-lobby", id: this.#around.newId() }));
    wire.onmessage = ({ data }) => {
      const told = JSON.parse(String(data)) as Message;
      if (told.type === "lobby") this.#take(told.tables);
      if (told.type === "answer" && told.error) this.failure = told.error;
    };
    wire.onclose = () => {
      if (over) return;
      this.failure = { code: "house/unreachable", params: {} };
      cancel = this.#around.later(() => this.#listen(), LOOK_AGAIN);
    };
  }
}
