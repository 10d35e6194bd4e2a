/** How late the picture is, and so the cards (STU-24): the best source there is, the median of five seconds. */

/** The most that cards are delayed, in milliseconds; the house gives no more time either. */
export const LONGEST_DELAY = 4000;
/** The oldest picture that HLS may show, in milliseconds: beyond it a clock is wrong. */
const LATEST = 60_000;
/** For how long a measured age counts. */
const KEPT = 5000;
/** Seconds from 1900, where NTP's time begins, to 1970. */
const NTP_BEGINS = 2_208_988_800;
/** RTP's clock of video, in ticks a millisecond. */
const TICKS = 90;

/** How old the shown picture is by each source, in milliseconds; null where browser or stream do not say. */
export interface Ages {
  /** From the camera's clock in the stream to the screen: all of it. */
  readonly captured: number | null;
  /** Since the media server sent it, by the clocks of both ends. */
  readonly played: number | null;
  /** Half a round trip, and the time from receiving to showing. */
  readonly travelled: number | null;
}

/** The age by the best source that is plausible; `latency` is the table's, from the camera to the media server. */
export function ageOf({ captured, played, travelled }: Ages, latency: number): number | null {
  const ages = [captured, played === null ? null : played + latency, travelled === null ? null : travelled + latency];
  return ages.find((age) => age !== null && age >= 0 && age <= LONGEST_DELAY) ?? null;
}

/** The age by the dates of a playlist: more than cards wait for, and still one to believe, up to a minute. */
export function datedAge(age: number): number {
  return age > LONGEST_DELAY && age <= LATEST ? LONGEST_DELAY : age;
}

/** A time of NTP, in milliseconds, as the clocks of computers have it. */
export function fromNtp(milliseconds: number): number {
  return milliseconds - 1000 * NTP_BEGINS;
}

/** When the shown picture was captured: the newest that came may be another one, some ticks away. */
export function capturedAt(newest: { readonly captureTimestamp: number; readonly rtpTimestamp: number }, shown: number): number {
  const ticks = (newest.rtpTimestamp - shown) | 0; // RTP's clock begins anew after 32 bits
  return fromNtp(newest.captureTimestamp) - ticks / TICKS;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = sorted.length % 2 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]];
  return ((low ?? 0) + (high ?? 0)) / 2;
}

/** The delay of cards: grows at once, and shrinks only between rounds, so that no card overtakes another's picture. */
export class Delay {
  #ages: readonly { readonly age: number; readonly at: number }[] = [];
  #value = 0;

  /** A picture was shown at a time, so old; `between` says that no round is being dealt. Gives the delay in milliseconds. */
  add(age: number, at: number, between: boolean): number {
    this.#ages = [...this.#ages.filter((kept) => at - kept.at < KEPT), { age, at }];
    const measured = Math.round(median(this.#ages.map((kept) => kept.age)));
    if (between || measured > this.#value) this.#value = Math.min(LONGEST_DELAY, measured);
    return this.#value;
  }

  /** Another stream plays: its pictures have ages of their own. */
  restart(): void {
    this.#ages = [];
  }
}
