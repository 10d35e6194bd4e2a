/** The window of a page that is beside a table: the page sets its title. */

import { getContext, setContext } from "svelte";

export interface Frame {
  title: string;
}

const KEY = Symbol("frame");

export function setFrame(frame: Frame): void {
  setContext(KEY, frame);
}

/** The window around this page; null for a page that stands alone. */
export function frameOf(): Frame | null {
  return getContext<Frame | undefined>(KEY) ?? null;
}
