/** Where the keyboard goes when a step is done: to the next one, never to nothing. */

/** What lies over everything else, and is the first that ESC closes (PLT-45); what the browser never closes by itself is not. */
export const ON_TOP = "dialog[open], :popover-open:not([popover=manual])";

/** Windows that are open: while there is one, keys do nothing at the table behind it or beside it (PLT-68). */
export const WINDOWS = `${ON_TOP}, [data-window]`;

/** Whether the keyboard stands nowhere: on nothing, on what can no longer be pressed, or where it waits (`data-rest`). */
function isAdrift(): boolean {
  const here = document.activeElement;
  return !here || here === document.body || here.matches(":disabled, [data-rest]");
}

/** Bring a keyboard that stands nowhere to a place; one that stands somewhere stays there, and so does one in a window. */
export function bringTo(place: HTMLElement | null | undefined): void {
  if (isAdrift() && !document.querySelector("dialog[open]")) place?.focus({ preventScroll: true });
}

/** What a window or a form is about, marked `data-first`. A finger has no use for a keyboard that opens by itself. */
export function firstOf(within: HTMLElement | undefined): HTMLElement | null {
  const first = within?.querySelector<HTMLElement>("[data-first]") ?? null;
  return first?.matches("input") && matchMedia("(pointer: coarse)").matches ? null : first;
}

/** The first place for a main bet. */
export function firstPlace(): HTMLElement | null {
  return lowest("[data-spot][data-testid^=circle]:enabled");
}

/** Where to sit down: the first free seat; with none, the way in without a seat. */
export function firstSeat(): HTMLElement | null {
  return lowest("[data-sit]:enabled");
}

/** The first by the table's own count, from where the dealer begins; what has no number comes last. */
function lowest(places: string): HTMLElement | null {
  const number = ({ dataset }: HTMLElement) => Number(dataset.testid?.split("-")[1] ?? Infinity);
  return [...document.querySelectorAll<HTMLElement>(places)].reduce<HTMLElement | null>(
    (least, place) => (least && number(least) <= number(place) ? least : place),
    null,
  );
}

/** Give the keyboard back to where a window was opened from, if it stands nowhere else by then. */
export function giveBack(opener: Element | null): void {
  if (isAdrift() && opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
}
