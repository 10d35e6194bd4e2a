/** The texts of a language, filled in as Python fills them: `{name}`, `{name:money}`, `{name!r}`. */

import type { Failure } from "../wire";
import { LANGUAGES as NAMES, LOADERS, OFFICE_LOADERS, type Key, type Loaders } from "../texts";
import { rankOf, suitOf } from "../game/cards";
import { amount, chipLabel, readAmount, type Unreadable } from "./money";

export type Language = keyof typeof NAMES;
export type Params = Readonly<Record<string, unknown>>;
export const LANGUAGES = Object.keys(NAMES) as Language[];

/** The texts that were loaded, by language. */
const LOADED: Partial<Record<Language, Record<string, string>>> = {};
/** The parts of the texts that this page needs, and those that were loaded, by language. */
const needed: Loaders[] = [LOADERS];
const arrived: Partial<Record<Language, readonly Loaders[]>> = {};

/** Headings whose names stand in sentences: bets, moves, limits, phases, roles. */
const WORDS = ["kind", "action", "limits", "phase", "roles"];

/** Refusals whose reason is about the form of a request. */
const FORMAL: readonly string[] = ["request/bad", "command/malformed"];

/** How each language writes days and hours. */
const LOCALES: Readonly<Record<Language, string>> = { it: "it-IT", en: "en-GB" };
const CLOCK = { hour: "2-digit", minute: "2-digit", hour12: false } as const;
const DAY = { day: "numeric", month: "short", year: "numeric" } as const;

export class Catalogue {
  readonly #texts: Readonly<Record<string, string>>;

  /** With a game, bets and prizes have the names that this game's regulation gives them. */
  constructor(
    readonly language: Language,
    readonly game = "",
  ) {
    this.#texts = LOADED[language] ?? {};
  }

  /** The same texts with a game's own names. */
  at(game: string): Catalogue {
    return game === this.game ? this : new Catalogue(this.language, game);
  }

  text(key: Key, params: Params = {}): string {
    return this.#fill(this.#texts[key] ?? key, params);
  }

  /** A text under a heading for a word that came over the wire; the word itself if there is none. */
  named(heading: string, word: string): string {
    return this.#own(heading, word, this.game) ?? word;
  }

  /** A button's label: the game's own, or the usual one. */
  label(name: string, game = ""): string {
    return this.#own("label", name, game) ?? name;
  }

  /** A text that a game, or its family (`majority-eu`: majority), may have of its own. */
  #own(heading: string, word: string, game: string): string | undefined {
    const [family = ""] = game.split("-");
    const keys = [`${heading}.${game}.${word}`, `${heading}.${family}.${word}`, `${heading}.${word}`];
    return keys.map((key) => this.#texts[key]).find((text) => text !== undefined);
  }

  error(failure: Failure): string {
    // What is wrong with the form of a request is told in English, to programs.
    if (FORMAL.includes(failure.code)) return this.text("web.bad-request");
    const sentence = this.#texts[`error.${failure.code}`];
    if (sentence === undefined) return this.text("web.unknown-error", { code: failure.code });
    return this.#fill(sentence, failure.params);
  }

  amount(cents: number): string {
    return amount(cents, this.text("language.decimal"), this.text("language.thousands"));
  }

  /** An amount as it stands on the felt, where room is short: no cents where there are none. */
  brief(cents: number): string {
    return cents % 100 ? this.amount(cents) : this.amount(cents).slice(0, -3);
  }

  /** An amount with its sign, for a result. */
  signed(cents: number): string {
    return withSign(cents, this.amount(cents));
  }

  briefSigned(cents: number): string {
    return withSign(cents, this.brief(cents));
  }

  money(cents: number, currency: "EUR" | "FUN"): string {
    const text = this.text(`money.${currency}`, { amount: this.amount(Math.abs(cents)) });
    return cents < 0 ? `−${text}` : text;
  }

  /** An amount as a person would write it into a field: `1234,50`, `1000`. */
  plain(cents: number): string {
    return cents % 100 ? amount(cents, this.text("language.decimal"), "") : String(cents / 100);
  }

  /** The cents of what a person wrote, or why it is no amount. */
  read(written: string): number | Unreadable {
    return readAmount(written, { decimal: this.text("language.decimal"), thousands: this.text("language.thousands") });
  }

  /** A fraction in per cent: `percent(0.9966)` is `99,66`. */
  percent(fraction: number, digits = 2): string {
    return (fraction * 100).toFixed(digits).replace(".", this.text("language.decimal"));
  }

  /** A number as it was published, with the language's own decimal sign. */
  decimal(text: string): string {
    return text.replace(".", this.text("language.decimal"));
  }

  /** A whole number: `6.900`. */
  whole(number: number): string {
    return amount(number * 100, "", this.text("language.thousands")).slice(0, -2);
  }

  chip(cents: number): string {
    return chipLabel(cents, this.text("language.decimal"));
  }

  card(card: number): string {
    const rank = this.text(`rank.${rankOf(card)}`);
    return this.text("card.name", { rank, suit: this.text(`suit.${suitOf(card)}`) });
  }

  /** The time of day, by the clock on the wall. */
  time(at: number): string {
    return new Date(at).toLocaleTimeString(LOCALES[this.language], CLOCK);
  }

  /** A day in words: `domenica 15 novembre 2026`. */
  day(at: number): string {
    return new Date(at).toLocaleDateString(LOCALES[this.language], { dateStyle: "full" });
  }

  /** A day and its time: `15 nov 2026, 14:05`. */
  dateTime(at: number): string {
    return new Date(at).toLocaleString(LOCALES[this.language], { ...DAY, ...CLOCK });
  }

  /** A length of time in words that say the unit. */
  duration(minutes: number): string {
    const hours = Math.floor(minutes / 60);
    return hours
      ? this.text("web.reality.hours", { hours, minutes: minutes % 60 })
      : this.text("web.reality.minutes", { minutes });
  }

  total(total: number, soft: boolean): string {
    return soft ? this.text("table.soft", { total }) : total.toString();
  }

  /** A spot as it is called on the game's felt, counted from 1. */
  place(spot: number): string {
    if (spot < 0) return this.text("place.dealer");
    return this.#fill(this.#own("place", "spot", this.game) ?? "", { number: spot + 1 });
  }

  /** A hand by a name like `0.1`, with the part of one that was split. */
  hand(name: string): string {
    const found = /^(\d+)\.(\d+)$/.exec(name);
    if (!found) return this.text("place.none");
    const place = this.place(Number(found[1]));
    const part = Number(found[2]);
    return part ? this.text("place.part", { place, part: part + 1 }) : place;
  }

  /** A param for people by its kind, as errors.py writes it; what is not of its kind as it is. */
  #param(value: unknown, kind = ""): string {
    if (isFailure(value)) return this.error(value);
    if (WORDS.includes(kind)) {
      const names = String(value).split(", ");
      return names.map((word) => this.named(kind, word)).join(", ");
    }
    if (kind === "hand") return this.hand(String(value));
    if (typeof value !== "number") return String(value);
    switch (kind) {
      case "money":
        return this.amount(value);
      case "percent":
        return `${this.amount(value)}%`;
      case "place":
        return this.place(value);
      case "number":
        return String(value + 1);
    }
    const count = this.#texts[value === 1 ? `count.${kind}-one` : `count.${kind}`];
    return count === undefined ? String(value) : this.#fill(count, { n: value });
  }

  #fill(sentence: string, params: Params): string {
    return sentence.replace(/\{(\w+)(!r)?(?::([\w.]+))?\}/g, (_, name: string, quoted?: string, kind?: string) => {
      const value = params[name];
      return quoted && typeof value === "string" ? `“${value}”` : this.#param(value, kind);
    });
  }
}

/** Whether a language can be spoken at once. */
export function isLoaded(language: Language): boolean {
  return needed.every((part) => arrived[language]?.includes(part));
}

/** Load the texts of a language that this page needs, each once. */
export async function loadTexts(language: Language): Promise<void> {
  const parts = [...needed];
  const missing = parts.filter((part) => !arrived[language]?.includes(part));
  const found = await Promise.all(missing.map(async (part) => (await part[language]()).default));
  LOADED[language] = Object.assign(LOADED[language] ?? {}, ...found) as Record<string, string>;
  arrived[language] = parts;
}

/** From now on the back office's texts are needed too. */
export function needOfficeTexts(): void {
  if (!needed.includes(OFFICE_LOADERS)) needed.push(OFFICE_LOADERS);
}

/** The language a browser asks for, Italian where it asks for none of ours. */
export function preferred(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const found = LANGUAGES.find((language) => tag.toLowerCase().startsWith(language));
    if (found) return found;
  }
  return "it";
}

/** Whether a param is a refusal: the reason of another one. */
function isFailure(value: unknown): value is Failure {
  return typeof value === "object" && value !== null && "code" in value;
}

function withSign(cents: number, text: string): string {
  return cents > 0 ? `+${text}` : text.replace("-", "−");
}
