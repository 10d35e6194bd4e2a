/** The whole screen for the page, where the browser can. ESC leaves it by itself (PLT-45). */

class Screen {
  full = $state(document.fullscreenElement !== null);
  readonly possible = document.fullscreenEnabled;

  constructor() {
    document.addEventListener("fullscreenchange", () => {
      this.full = document.fullscreenElement !== null;
    });
  }

  toggle(): void {
    const done = this.full ? document.exitFullscreen() : document.documentElement.requestFullscreen();
    // A browser may say no; the page then stays as it is.
    done.catch(() => undefined);
  }
}

export const screen = new Screen();
