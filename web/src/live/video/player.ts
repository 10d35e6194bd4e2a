/** A stream that plays: what WHEP and HLS have in common. */

import type { Ages } from "./delay";
import type { Counts } from "./quality";

/** Milliseconds within which the first picture must come. */
export const FIRST_PICTURE = 5000;

export interface Player {
  readonly kind: "whep" | "hls";
  readonly element: HTMLVideoElement;
  /** Whether the presenter is heard in it. */
  readonly voice: boolean;
  /** Resolved when nothing more comes. */
  readonly over: Promise<void>;
  /** How old the shown picture is by each source, by the house's clock. */
  ages(houseNow: () => number): Promise<Ages>;
  /** What was counted, and a number that grows as long as something comes. */
  counts(): Promise<Counts & { readonly progress: number }>;
  /** Another token, for a stream that asks again and again. */
  renew(token: string): void;
  close(): void;
}

/** Opens a stream with a token; fails where no picture comes in time. */
export type Open = (address: string, token: string, signal: AbortSignal) => Promise<Player>;

/** Silent at first: browsers play what makes no sound without being asked. */
export function newElement(): HTMLVideoElement {
  const element = document.createElement("video");
  element.autoplay = true;
  element.playsInline = true;
  element.muted = true;
  element.disablePictureInPicture = true;
  return element;
}

/** Wait for the first picture; fails after five seconds, when the stream fails, or when it is not wanted any more. */
export function firstPicture(element: HTMLVideoElement, failed: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("no picture came")), FIRST_PICTURE);
    const fail = () => reject(new Error("the stream has failed"));
    signal.addEventListener("abort", fail, { once: true });
    void failed.then(fail);
    const shown = () => {
      clearTimeout(late);
      resolve();
    };
    if (element.readyState >= HTMLMediaElement.HAVE_CURRENT_DATA) shown();
    else element.addEventListener("loadeddata", shown, { once: true });
  });
}
