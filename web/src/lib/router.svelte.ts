/** Where the page is: the address, and going elsewhere without loading anew. */

import { routeOf, type Route } from "./routes";

class Router {
  #address = $state.raw({ path: location.pathname, search: location.search });
  readonly route: Route = $derived(routeOf(this.#address.path, this.#address.search));
  /** The address within this house, to come back to. */
  readonly here: string = $derived(this.#address.path + this.#address.search);

  /** Whether the address has changed since the page was loaded. */
  moved = false;

  go(to: string, { replace = false } = {}): void {
    if (to === this.here) return;
    history[replace ? "replaceState" : "pushState"](null, "", to);
    this.#look();
    scrollTo(0, 0);
  }

  /** Follow links within the house, and the browser's own buttons, from now on. */
  listen(): () => void {
    const look = () => this.#look();
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.defaultPrevented || event.button !== 0) return;
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      if (link.origin !== location.origin || link.target || link.hasAttribute("download") || link.hash) return;
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
  }
}

export const router = new Router();
