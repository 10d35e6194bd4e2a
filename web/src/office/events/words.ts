/** What is noted with a significant event or a change, in words (OFF-11, OFF-20). */

import { GAMES } from "../../games";
import type { Catalogue } from "../../language/catalogue";
import { fieldText, subjectText, valueText } from "../games/words";
import { placeText } from "../parts/place";

type Detail = Readonly<Record<string, unknown>>;
/** A field that a proposal changes. */
interface Change {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
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
};

/** What is noted beside an event or a change, in words: names and values. */
export function detailText(detail: Detail, texts: Catalogue): string {
  const { subject = null, ...others } = detail;
  return Object.entries({ subject, ...others })
    .filter(([, value]) => value !== null && value !== "")
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
    if (name !== "parts") return detailText(value as Detail, texts);
    const { kind, subject, sha256 } = value as Readonly<Record<"kind" | "subject" | "sha256", string>>;
    return [texts.named("office.part", kind), partText(subject, texts), sha256.slice(0, 8)].filter(Boolean).join(" ");
  }
  const text = String(value);
  if (name === "subject") return text.includes("/") ? subjectText({ subject: text, player: null }, texts) : partText(text, texts);
  if (name === "table") return placeText(text, texts);
  if (name === "game") return GAMES[text]?.title ?? text;
  if (name === "bet") return texts.at(wordOf(detail, "game")).named("kind", text);
  return NAMED[name] ? texts.named(NAMED[name], text) : text;
}

function wordOf(detail: Detail, name: string): string {
  const word = detail[name];
  return typeof word === "string" ? word : "";
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
