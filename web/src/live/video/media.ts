/** The browser and the house as the video's surroundings. A way to play is loaded when a table has a video. */

import { tableVideo } from "../../net/api";
import { stage } from "../../net/stage";
import type { Media } from "./video.svelte";

interface Sparing extends Navigator {
  readonly connection?: { readonly saveData?: boolean };
}

/** `table` is the table's whole name, `live/` and its own. */
export function browserMedia(table: string): Media {
  return {
    whep: async (...stream) => (await import("./whep")).openWhep(...stream),
    hls: async (...stream) => (await import("./hls")).openHls(...stream),
    access: () => tableVideo(table.replace("live/", "")),
    later: (act, milliseconds) => stage.later(act, milliseconds),
    now: () => stage.now(),
    seen: () => document.visibilityState === "visible",
    sparing: () => (navigator as Sparing).connection?.saveData === true,
  };
}
