/** What the console says, in words: the next step, a place, a card by its key, what was reported. */

import { RANKS, SUITS } from "../../game/cards";
import { DEALER } from "../../game/table";
import type { Catalogue } from "../../language/catalogue";
import { placeName } from "../../live/speech/narration";
import type { LiveState } from "../../live/model/state";
import { refusalText } from "../../office/events/words";
import { timeText } from "../../office/parts/time";
import type { Console, DueCard, Reported } from "../../wire";

/** The name of a card on the wire: `10h`. */
export function cardKey(card: number): string {
  return `${RANKS[card % 13]}${SUITS[Math.floor(card / 13)]}`;
}

/** What is due: `Carta: posto 3, ada`. */
export function dueStep(due: DueCard, table: LiveState | null, texts: Catalogue): string {
  if (due.what !== "card") return texts.named("office.studio.step", due.what);
  const place = table ? placeName(table, due.spot, due.hand, texts) : due.spot === DEALER ? texts.text("table.dealer") : String(due.spot + 1);
  return texts.text("office.studio.deal-to", { place });
}

/** What the presenter does next. */
export function nextStep(view: Console, table: LiveState | null, texts: Catalogue): string {
  if (view.step === "card" && view.due) return dueStep(view.due, table, texts);
  if (view.step === "players" && table?.view.turn) {
    const [spot, hand] = table.view.turn;
    return texts.text("office.studio.decides", { place: placeName(table, spot, hand, texts) });
  }
  if (view.step === "betting" && view.phase === "closing") return texts.text("office.studio.step.closing");
  return texts.named("office.studio.step", view.step);
}

/** Something that the supervisor was told. */
export function reportWords({ what, about }: Reported, texts: Catalogue): string {
  const reading = "scan" in about ? texts.text("office.studio.reading", { device: about.device, scan: about.scan }) : "";
  return [refusalText(what, about, texts), about.name ?? "", reading].filter(Boolean).join(" · ");
}

/** That somebody else has taken or ended the shift of a presenter who has not come back since; empty if nobody has (STU-27). */
export function replacedWords(view: Console, presenter: number, texts: Catalogue): string {
  const report = view.reports.findLast(({ about }) => about.presenter === presenter);
  if (!report) return "";
  const key = report.what === "shift-taken" ? "office.studio.replaced.shift-taken" : "office.studio.replaced.shift-ended";
  return texts.text(key, { name: report.about.name, at: timeText(report.at, texts) });
}
