import type { Message, Request } from "../wire";
import type { Wire } from "./socket";

/** A socket without a network: it keeps what is sent, and says what a test wants. */
export class FakeWire implements Wire {
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((message: { readonly data: unknown }) => void) | null = null;
  readonly sent: Request[] = [];

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Request);
  }

  close(): void {
    this.onclose?.();
  }

  says(message: Message): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}
