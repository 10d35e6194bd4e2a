/** The tables that were opened last in this browser, for the lobby. */

import { keep, kept } from "./memory";

export interface Opened {
  readonly href: string;
  readonly game: string;
}

const RECENT = "sabot.recent";
const MOST = 4;

/** The newest first. */
export function recent(): readonly Opened[] {
  try {
    const stored: unknown = JSON.parse(kept(RECENT) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isOpened) : [];
  } catch {
    return [];
  }
}

export function noteOpened(opened: Opened): void {
  const others = recent().filter(({ href }) => href !== opened.href);
  keep(RECENT, JSON.stringify([opened, ...others].slice(0, MOST)));
}

/** The next one at this browser is somebody else. */
export function forgetOpened(): void {
  keep(RECENT, "[]");
}

function isOpened(found: unknown): found is Opened {
  return (
    typeof found === "object" &&
    found !== null &&
    "href" in found &&
    typeof found.href === "string" &&
    "game" in found &&
    typeof found.game === "string"
  );
}
