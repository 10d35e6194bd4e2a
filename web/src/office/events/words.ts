/** What is noted with a significant event or a change, in words (OFF-11, OFF-20). */

import { GAMES } from "../../games";
import type { Catalogue } from "../../language/catalogue";
import { fieldText, subjectText, valueText } from "../games/words";
import { placeText } from "../parts/place";
import { momentText } from "../parts/time";

type Detail = Readonly<Record<string, unknown>>;
/** A field that a proposal changes. */
interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** A part of the release: with its hash, or with what is recorded and what was found in its place. */
interface Part {
  readonly kind: string;
  readonly subject: string;
  readonly sha256?: string;
  readonly recorded?: string;
  readonly found?: string;
  readonly files?: readonly string[];
}

/** Details that are cents. */
const MONEY = ["amount", "stake", "staked", "win", "won", "paid"];
/** Details whose words have names, and the heading of those. */
const NAMED: Readonly<Record<string, string>> = {
  role: "office.role",
  state: "office.proposal",
  part: "office.part",
  parts: "office.part",
  done: "office.done-what",
  page: "office.looked-at",
  why: "office.check-why",
};

/** What is noted beside an event or a change, in words: names and values. */
export function detailText(detail: Detail, texts: Catalogue): string {
  const { subject = null, ...others } = detail;
  return Object.entries({ subject, ...others })
    .filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => (name === "changes" ? changesText(detail, value as readonly Change[], texts) : toldText(name, value, detail, texts)))
    .filter(Boolean)
    .join("; ");
}

function toldText(name: string, value: unknown, detail: Detail, texts: Catalogue): string {
  return `${texts.named("office.field", name)}: ${valueOf(name, value, detail, texts)}`;
}

function valueOf(name: string, value: unknown, detail: Detail, texts: Catalogue): string {
  if (Array.isArray(value)) return value.map((each) => valueOf(name, each, detail, texts)).join(", ");
  if (typeof value === "boolean") return texts.text(value ? "office.yes" : "office.no");
  if (typeof value === "number") {
    const cents = MONEY.includes(name) || (name === "value" && "count" in detail); // of a golden chip
    return cents ? texts.amount(value) : String(value);
  }
  if (typeof value === "object" && value !== null) {
    return ["parts", "differences"].includes(name) ? releaseText(value as Part, texts) : detailText(value as Detail, texts);
  }
  const text = hashText(String(value));
  if (name === "subject") return text.includes("/") ? subjectText({ subject: text, player: null }, texts) : partText(text, texts);
  if (name === "table" || name === "place") return placeText(text, texts);
  if (name === "game") return GAMES[text]?.title ?? text;
  if (name === "bet") return texts.at(wordOf(detail, "game")).named("kind", text);
  if (name === "why" && text.includes("/")) return refusalText(text, detail, texts);
  if (name === "happened") return momentText(Date.parse(text), texts);
  return NAMED[name] ? texts.named(NAMED[name], text) : text;
}

function wordOf(detail: Detail, name: string): string {
  const word = detail[name];
  return typeof word === "string" ? word : "";
}

/** Why something was refused, by its code: as a supervisor is told, or in the words of the refusal. */
export function refusalText(code: string, about: Detail, texts: Catalogue): string {
  const words = texts.named("office.studio.report", code);
  return words === code ? texts.error({ code, params: about }) : words;
}

function releaseText({ kind, subject, sha256, recorded, found, files = [] }: Part, texts: Catalogue): string {
  const hash = sha256 === undefined ? `${hashText(recorded ?? "") || "–"} → ${hashText(found ?? "")}` : hashText(sha256);
  return [texts.named("office.part", kind), partText(subject, texts), hash, ...files].filter(Boolean).join(" ");
}

/** The beginning of a hash; any other text as it is. */
function hashText(text: string): string {
  return /^[0-9a-f]{16,64}$/.test(text) ? text.slice(0, 8) : text;
}

/** What a part of the release is about: a game by its title, or the house. */
export function partText(subject: string, texts: Catalogue): string {
  return GAMES[subject]?.title ?? (subject && texts.named("office.check-subject", subject));
}

/** What a proposal changes, field by field, before and after. */
function changesText(detail: Detail, changes: readonly Change[], texts: Catalogue): string {
  const subject = wordOf(detail, "subject");
  const about = { kind: subject.split("/")[0] as "switch", subject };
  return changes
    .map(({ field, before, after }) => {
      const [old, now] = [before, after].map((value) => valueText(about, field, value, texts));
      return `${field ? `${fieldText(about, field, texts)}: ` : ""}${old} → ${now}`;
    })
    .join("; ");
}
