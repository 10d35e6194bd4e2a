/** What a proposal is about, and its values, in words (OFF-10). */

import { GAMES } from "../../games";
import { COUNTED } from "../kinds";
import type { Catalogue } from "../../language/catalogue";
import type { Limits, Proposal } from "../../wire";

/** Fields whose numbers are cents. */
const MONEY = ["minimum", "maximum", "max_win", "cap", "chips"];

/** The subject of a proposal: `switch/game/link` is the game's title. */
export function subjectText({ subject, player }: Pick<Proposal, "subject" | "player">, texts: Catalogue): string {
  const [kind = "", what = "", name = "", bet = ""] = subject.split("/");
  switch (kind) {
    case "switch":
      if (what === "all") return texts.text("office.games.all-games");
      if (what === "table") return texts.text("office.games.table-of", { name });
      return bet ? `${titleOf(name)} · ${texts.at(name).named("kind", bet)}` : titleOf(name);
    case "table":
      return texts.text("office.games.table-of", { name: what });
    case "limits":
      return texts.text("office.games.limits-of", { game: titleOf(what), currency: name });
    case "office":
      return texts.named("office.setting", what);
    case "adjust":
    case "golden":
    case "vip":
      return [texts.text(`office.players.way-${kind}`), player ?? what, name].filter(Boolean).join(" · ");
    default:
      return texts.text("office.games.role-of", { name: player ?? what });
  }
}

/** What a proposal would do: a switch opens or closes, a table comes or goes. */
export function proposalText(proposal: Pick<Proposal, "kind" | "subject" | "player" | "before" | "after">, texts: Catalogue): string {
  const { kind, before, after } = proposal;
  const what = subjectText(proposal, texts);
  if (kind === "switch") return texts.text(after === true ? "office.games.open-ask" : "office.games.close-ask", { what });
  if (kind !== "table" || (before && after)) return what;
  return texts.text(after ? "office.games.new-ask" : "office.games.end-ask", { name: proposal.subject.slice("table/".length) });
}

/** Whether something takes new bets: all games, a game, a table, a bet. */
export function stateText(what: string, open: boolean, texts: Catalogue): string {
  return texts.named(open ? "office.switch-open" : "office.switch-closed", what);
}

/** A value of a field: an amount, a state, a role. */
export function valueText({ kind, subject }: Pick<Proposal, "kind" | "subject">, field: string, value: unknown, texts: Catalogue): string {
  if (value === null || value === undefined) return "–";
  if (kind === "switch") return stateText(subject.split("/")[1] ?? "", value === true, texts);
  if (kind === "limits" && field.endsWith(".name") && typeof value === "string") return texts.named("limits", value);
  if (kind === "role" && typeof value === "string") return texts.named("office.role", value);
  if (typeof value === "boolean") return texts.text(value ? "office.yes" : "office.no");
  if (typeof value === "number") return isMoney(subject, field) ? texts.amount(value) : String(value);
  if (Array.isArray(value)) return value.map((each) => valueText({ kind, subject }, field, each, texts)).join(", ") || "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The name of a field by its path: `options.main.maximum`, or of limits `high.main.maximum` with the name of a choice first. */
export function fieldText({ subject }: Pick<Proposal, "subject">, field: string, texts: Catalogue): string {
  const parts = field.split(".").filter((part) => part !== "options");
  const limits = subject.startsWith("limits/");
  return parts.map((part, place) => texts.named(limits && place === 0 ? "limits" : "office.field", part)).join(" · ");
}

export function titleOf(game: string): string {
  return GAMES[game]?.title ?? game;
}

export function rangeText({ minimum, maximum }: Limits, texts: Catalogue): string {
  return `${texts.brief(minimum)} – ${texts.brief(maximum)}`;
}

function isMoney(subject: string, field: string): boolean {
  const [kind = "", setting = ""] = subject.split("/");
  if (["adjust", "golden"].includes(kind)) return ["amount", "value"].includes(field);
  return (kind === "office" && !COUNTED.includes(setting)) || MONEY.some((name) => field === name || field.endsWith(`.${name}`));
}
