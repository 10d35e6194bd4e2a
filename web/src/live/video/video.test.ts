import { beforeEach, describe, expect, it } from "vitest";
import type { VideoAccess } from "../../wire";
import type { Ages } from "./delay";
import type { Player } from "./player";
import { TableVideo, type Media } from "./video.svelte";

const STREAMS = ["720", "360"].map((quality) => ({ quality, whep: `whep/${quality}`, hls: `hls/${quality}` }));

class FakePlayer implements Player {
  readonly element = {} as HTMLVideoElement;
  readonly voice = true;
  readonly over: Promise<void>;
  end: () => void = () => undefined;
  age = 80;
  progress = 0;
  /** Whether nothing comes any more. */
  silent = false;
  closed = false;
  lost = 0;
  tokens: string[] = [];

  constructor(
    readonly kind: "whep" | "hls",
    readonly address: string,
  ) {
    this.over = new Promise((resolve) => (this.end = resolve));
  }

  ages(): Promise<Ages> {
    return Promise.resolve({ captured: this.age, played: null, travelled: null });
  }

  counts() {
    if (!this.silent) this.progress += 1;
    return Promise.resolve({ frozen: 0, lost: this.lost * this.progress, received: 10 * this.progress, progress: this.progress });
  }

  renew(token: string): void {
    this.tokens.push(token);
  }

  close(): void {
    this.closed = true;
  }
}

let now: number;
let timers: { act: () => void; at: number }[];
let opened: FakePlayer[];
let broken: string[];
let tokens: number;
let streams: VideoAccess["streams"];
let delay: number;
/** What HLS waits for before it plays. */
let slow: Promise<void> | null;
let hurry: () => void;
let video: TableVideo;
const table = {
  between: true,
  houseNow: () => now,
  showLater: (milliseconds: number) => void (delay = milliseconds),
};

async function settled(): Promise<void> {
  for (let turns = 0; turns < 30; turns += 1) await Promise.resolve();
}

/** Let time pass; what is due on the way is done. */
async function pass(milliseconds: number): Promise<void> {
  const end = now + milliseconds;
  for (;;) {
    await settled();
    const due = timers.filter((timer) => timer.at <= end).sort((one, other) => one.at - other.at)[0];
    if (!due) break;
    timers.splice(timers.indexOf(due), 1);
    now = due.at;
    due.act();
  }
  now = end;
}

const playing = () => (video.player as FakePlayer | null)?.address ?? null;

beforeEach(() => {
  now = 1_788_000_000_000;
  timers = [];
  opened = [];
  broken = [];
  tokens = 0;
  streams = STREAMS;
  delay = -1;
  slow = null;
  const open = (kind: "whep" | "hls") => async (address: string, token: string) => {
    if (kind === "hls" && slow) await slow;
    if (broken.some((part) => address.includes(part))) throw new Error("no picture came");
    const player = new FakePlayer(kind, address);
    player.tokens.push(token);
    opened.push(player);
    return player;
  };
  const media: Media = {
    whep: open("whep"),
    hls: open("hls"),
    access: () => {
      tokens += 1;
      return Promise.resolve({ value: { streams, token: `token${tokens}`, expires_at: now + 180_000, latency: 0, lead: 20 } });
    },
    later: (act, milliseconds) => {
      const timer = { act, at: now + milliseconds };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
    now: () => now,
    seen: () => true,
    sparing: () => false,
  };
  video = new TableVideo(table, media);
});

describe("the video of a table", () => {
  it("plays the best quality, and cards come as late as its pictures, and the table's lead (STU-20, STU-24)", async () => {
    video.watch(["720", "360"], "auto");
    await pass(1000);
    expect([playing(), video.quality, video.failed, delay]).toEqual(["whep/720", "720", false, 100]);
    expect(opened[0]?.tokens).toEqual(["token1"]);
  });

  it("is not loaded without one, or when it is off, and is closed with the table (STU-21)", async () => {
    video.watch([], "auto");
    video.watch(["720"], "off");
    await pass(1000);
    expect([opened.length, tokens]).toEqual([0, 0]);
    video.watch(["720"], "720");
    await pass(1000);
    video.watch(["720"], "off");
    expect([opened[0]?.closed, playing(), delay, video.failed]).toEqual([true, null, 0, false]);
    await pass(60_000);
    expect([opened.length, timers.length]).toEqual([1, 0]);
  });

  it("is closed when it comes after the table was left", async () => {
    video.watch(["720"], "auto");
    video.stop();
    await pass(1000);
    expect([playing(), opened.every(({ closed }) => closed)]).toEqual([null, true]);
  });

  it("falls back to HLS, and stays with it while it works (STU-20)", async () => {
    broken = ["whep"];
    video.watch(["720", "360"], "720");
    await pass(1000);
    expect(playing()).toBe("hls/720");
    broken = [];
    opened[0]?.end();
    await pass(2000);
    expect(playing()).toBe("hls/720");
    broken = ["hls"];
    opened[1]?.end();
    await pass(2000);
    expect(playing()).toBe("whep/720");
  });

  it("tries WHEP again when it was off, also if HLS came only then (STU-20, STU-21)", async () => {
    broken = ["whep"];
    video.watch(["720", "360"], "auto");
    await pass(1000);
    expect(playing()).toBe("hls/720");
    broken = [];
    video.watch(["720", "360"], "off");
    expect(video.player).toBeNull();
    video.watch(["720", "360"], "auto");
    await pass(1000);
    expect(playing()).toBe("whep/720");

    broken = ["whep"];
    slow = new Promise((resolve) => (hurry = resolve));
    video.watch(["720", "360"], "360");
    await pass(0);
    video.watch(["720", "360"], "off");
    broken = [];
    video.watch(["720", "360"], "360");
    const [late, again] = [hurry, slow];
    slow = null;
    late();
    await again;
    await pass(20_000);
    expect(playing()).toBe("whep/360");
    (video.player as FakePlayer).end();
    await pass(20_000);
    expect(playing()).toBe("whep/360");
  });

  it("plays HLS at once where a quality has no WHEP, with tokens that do not expire", async () => {
    streams = [{ quality: "720", whep: "", hls: "hls/720" }];
    video.watch(["720"], "auto");
    await pass(130_000);
    expect([playing(), opened[0]?.tokens]).toEqual(["hls/720", ["token1", "token2"]]);
  });

  it("is replaced by another quality when that plays, and not before (STU-21)", async () => {
    video.watch(["720", "360"], "auto");
    await pass(1000);
    broken = ["360"];
    video.watch(["720", "360"], "360");
    await pass(3000);
    expect([playing(), opened[0]?.closed, video.failed]).toEqual(["whep/720", false, false]);
    broken = [];
    await pass(5000);
    expect([playing(), opened[0]?.closed, video.quality]).toEqual(["whep/360", true, "360"]);
    video.watch(["720", "360"], "1080"); // kept from another table
    await pass(1000);
    expect(video.quality).toBe("720");
  });

  it("goes down by itself where packets are lost, unless the player has chosen", async () => {
    video.watch(["720", "360"], "auto");
    await settled();
    for (const player of opened) player.lost = 5;
    await pass(7000);
    expect(video.quality).toBe("360");
    video.watch(["720", "360"], "720");
    await settled();
    for (const player of opened) player.lost = 5;
    await pass(10_000);
    expect(video.quality).toBe("720");
  });

  it.each([
    ["ends", (player: FakePlayer | undefined) => player?.end()],
    ["falls silent", (player: FakePlayer | undefined) => Object.assign(player ?? {}, { silent: true })],
  ])("that %s gives its place to the drawn presenter, and is opened again with a new token, ever more slowly (STU-21)", async (_, cut) => {
    video.watch(["720"], "auto");
    await pass(1000);
    broken = ["720"];
    cut(opened[0]);
    await pass(6000);
    expect([playing(), video.failed, opened[0]?.closed, delay]).toEqual([null, true, true, 0]);
    const asked = tokens;
    await pass(60_000);
    expect(tokens - asked).toBeLessThan(8);
    broken = [];
    await pass(15_000);
    expect([playing(), video.failed, opened[1]?.tokens]).toEqual(["whep/720", false, [`token${tokens}`]]);
  });
});
