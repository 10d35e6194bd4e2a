/** Video by HLS, for browsers and networks without WebRTC. Its library is loaded when it is needed, and not before. */

import type Hls from "hls.js/light";
import { datedAge, type Ages } from "./delay";
import { firstPicture, newElement, type Player } from "./player";

/** Seconds of video that are kept behind what is shown. */
const BEHIND = 10;

/** What Safari says of a stream that it plays by itself. */
interface DatedElement extends HTMLVideoElement {
  getStartDate?(): Date;
}

export async function openHls(address: string, token: string, signal: AbortSignal): Promise<Player> {
  // Chromium says that it may play HLS by itself, but would not say how late it is.
  const scripted = "MediaSource" in globalThis || "ManagedMediaSource" in globalThis;
  const player = scripted ? await ScriptedPlayer.load(address, token) : new NativePlayer(address, token);
  try {
    void player.element.play().catch(() => undefined);
    await firstPicture(player.element, player.over, signal);
    return player;
  } catch (error) {
    player.close();
    throw error;
  }
}

abstract class HlsPlayer implements Player {
  readonly kind = "hls";
  readonly voice = true;
  readonly element = newElement();
  readonly over: Promise<void>;
  protected end: () => void = () => undefined;
  #frozen = 0;
  #waitsSince: number | null = null;

  constructor() {
    this.over = new Promise((resolve) => (this.end = resolve));
    this.element.addEventListener("waiting", () => (this.#waitsSince ??= performance.now()));
    this.element.addEventListener("playing", () => {
      this.#frozen += this.#waiting;
      this.#waitsSince = null;
    });
  }

  get #waiting(): number {
    return this.#waitsSince === null ? 0 : (performance.now() - this.#waitsSince) / 1000;
  }

  /** The time of the shown picture, by the dates in the playlist. */
  protected abstract shownAt(): number | null;

  ages(houseNow: () => number): Promise<Ages> {
    const at = this.shownAt();
    return Promise.resolve({ captured: at === null ? null : datedAge(houseNow() - at), played: null, travelled: null });
  }

  counts() {
    return Promise.resolve({ frozen: this.#frozen + this.#waiting, lost: 0, received: 0, progress: this.element.currentTime });
  }

  abstract renew(token: string): void;

  close(): void {
    this.element.removeAttribute("src");
    this.element.load();
    this.element.remove();
    this.end();
  }
}

class ScriptedPlayer extends HlsPlayer {
  readonly #hls: Hls;
  #token: string;

  static async load(address: string, token: string): Promise<ScriptedPlayer> {
    const { default: Library } = await import("hls.js/light");
    return new ScriptedPlayer(Library, address, token);
  }

  private constructor(Library: typeof Hls, address: string, token: string) {
    super();
    this.#token = token;
    this.#hls = new Library({
      enableWorker: false, // the policy of the house allows none
      backBufferLength: BEHIND,
      liveSyncDurationCount: 2,
      liveMaxLatencyDurationCount: 4,
      maxLiveSyncPlaybackRate: 1.25,
      xhrSetup: (request) => request.setRequestHeader("Authorization", `Bearer ${this.#token}`),
    });
    this.#hls.on(Library.Events.ERROR, (_, { fatal }) => {
      if (fatal) this.end();
    });
    this.#hls.loadSource(address);
    this.#hls.attachMedia(this.element);
  }

  protected override shownAt(): number | null {
    return this.#hls.playingDate?.getTime() ?? null;
  }

  override renew(token: string): void {
    this.#token = token;
  }

  override close(): void {
    this.#hls.destroy();
    super.close();
  }
}

class NativePlayer extends HlsPlayer {
  constructor(address: string, token: string) {
    super();
    this.element.addEventListener("error", () => this.end());
    // A browser that plays by itself sends no header.
    this.element.src = `${address}?jwt=${encodeURIComponent(token)}`;
  }

  protected override shownAt(): number | null {
    const start = (this.element as DatedElement).getStartDate?.().getTime() ?? NaN;
    return Number.isNaN(start) ? null : start + 1000 * this.element.currentTime;
  }

  /** The token is a part of the address: when it has expired the stream ends, and is opened anew. */
  override renew(): void {}
}
