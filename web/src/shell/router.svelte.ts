/**
 * Where the page is: the address, and going elsewhere without loading anew. At a table other pages open beside it
 * (PLT-48): the address stays the table's, and the page beside it is part of the browser's history, so that its own
 * buttons lead back through it and close it.
 */

import { opensBeside, routeOf, type Route } from "./routes";

/** What an entry of the browser's history says of the page beside the table: its address, and how many entries it is. */
interface Entry {
  readonly beside: string;
  readonly depth: number;
}

class Router {
  #address = $state.raw({ path: location.pathname, search: location.search });
  #entry = $state.raw<Entry | null>(entryOf(history.state));
  readonly route: Route = $derived(routeOf(this.#address.path, this.#address.search));
  /** The address within this house, to come back to. */
  readonly here: string = $derived(this.#address.path + this.#address.search);
  /** The page beside the table. */
  readonly beside: Route | null = $derived.by(() => {
    if (!this.#entry) return null;
    const { pathname, search } = new URL(this.#entry.beside, location.origin);
    return routeOf(pathname, search);
  });

  /** Whether the address has changed since the page was loaded. */
  moved = false;
  /** Whether a table is shown, beside which other pages can stand. */
  atTable: () => boolean = () => false;
  /** Where to go once the page beside the table is closed, while it is being closed. */
  #closing: { next: string | null } | null = null;

  go(to: string, { replace = false } = {}): void {
    if (this.#closing) {
      this.#closing.next = to;
      return;
    }
    const { pathname, search } = new URL(to, location.origin);
    if (this.atTable() && opensBeside(routeOf(pathname, search))) {
      if (to === this.#entry?.beside) return;
      history.pushState({ beside: to, depth: (this.#entry?.depth ?? 0) + 1 } satisfies Entry, "", this.here);
      this.#look();
      return;
    }
    if (to === this.here && !this.#entry) return;
    history[replace ? "replaceState" : "pushState"](null, "", to);
    this.#look();
    scrollTo(0, 0);
  }

  /** Close the page beside the table: all of its entries are left. */
  close(): void {
    if (!this.#entry || this.#closing) return;
    this.#closing = { next: null };
    history.go(-this.#entry.depth);
    this.#entry = null;
  }

  /** Follow links within the house, and the browser's own buttons, from now on. */
  listen(): () => void {
    const look = () => {
      const next = this.#closing?.next;
      this.#closing = null;
      this.#look();
      if (next) this.go(next);
    };
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.defaultPrevented || event.button !== 0) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
      if (link.hash) {
        // A place on the page beside the table: the table's address stays as it is.
        if (!this.#entry || !link.getAttribute("href")?.startsWith("#")) return;
        event.preventDefault();
        document.querySelector(link.hash)?.scrollIntoView();
        return;
      }
      event.preventDefault();
      this.go(link.pathname + link.search);
    };
    addEventListener("popstate", look);
    document.addEventListener("click", follow);
    return () => {
      removeEventListener("popstate", look);
      document.removeEventListener("click", follow);
    };
  }

  #look(): void {
    this.moved = true;
    this.#address = { path: location.pathname, search: location.search };
    this.#entry = entryOf(history.state);
  }
}

function entryOf(state: unknown): Entry | null {
  return typeof state === "object" && state !== null && "beside" in state ? (state as Entry) : null;
}

export const router = new Router();
