/** What a table says of its connection: what is not known while it cannot be trusted, what happened meanwhile (PLT-67). */

import { GAMES } from "../games";
import { isOver } from "../game/table";
import type { Catalogue } from "../language/catalogue";
import { speech } from "../language/speech.svelte";
import type { Connection } from "../net/connection.svelte";
import { reach } from "../net/reach.svelte";
import type { Question } from "../net/socket";
import type { TableView } from "../wire";

/** A table whose connection is told. */
export interface Connected {
  readonly table: { readonly game: string; readonly view: Pick<TableView, "phase"> } | null;
  /** Whether the player has a part in the round, or bets on the next. */
  readonly engaged: boolean;
  readonly line: Connection;
}

/** That the connection cannot be trusted, or is back. */
export function lineWords(game: Connected): string {
  const texts = speech.texts.at(game.table?.game ?? "");
  return game.line.sure ? backWords(game.line, texts) : lostWords(game, texts);
}

/** Why nothing is certain now, what the player has sent, and what holds all the same. */
function lostWords({ table, engaged, line }: Connected, texts: Catalogue): string {
  const why = reach.offline ? "offline" : line.silent ? "silent" : "lost";
  const told = [texts.text(`web.line.${why}`)];
  if (line.sent.length) told.push(texts.text("web.line.sent", { what: all(line.sent, texts) }));
  if (line.queued.length) told.push(texts.text("web.line.queued", { what: all(line.queued, texts) }));
  const plays = engaged && table !== null && !isOver(table.view);
  if (GAMES[table?.game ?? ""]?.live) told.push(texts.text(plays ? "web.line.live" : "web.line.live-idle"));
  else if (plays) told.push(texts.text("web.line.solo"));
  return told.join(" ");
}

/** That the connection is back, and what became of what was sent and of the round. */
function backWords(line: Connection, texts: Catalogue): string {
  const told = line.outcomes.map(({ question, failure }) =>
    texts.text(failure ? "web.line.refused" : "web.line.done", { what: requestWords(question, texts) }),
  );
  if (line.sent.length) told.push(texts.text("web.line.sent", { what: all(line.sent, texts) }));
  if (!told.length || line.meanwhile !== "same") told.push(texts.text(`web.line.${line.meanwhile}`));
  return [texts.text("web.line.back"), ...told].join(" ");
}

function all(questions: readonly Question[], texts: Catalogue): string {
  return questions.map((question) => requestWords(question, texts)).join(", ");
}

/** A request as its button calls it, and for which hand. */
export function requestWords(question: Question, texts: Catalogue): string {
  const at = (name: string, spot: number) => `${texts.label(name)} (${texts.place(spot)})`;
  switch (question.type) {
    case "deal":
      return texts.label("deal");
    case "start-now":
      return texts.text("web.live.start-now");
    case "act": {
      const { command } = question;
      if (command.type === "even-money") return at(command.accept ? "even-money" : "refuse", command.spot);
      return at(command.type, command.spot);
    }
    case "insure": {
      const name = question.accept ? "accept" : "refuse";
      return question.spot == null ? texts.label(`${name}-all`) : at(name, question.spot);
    }
    case "vote":
      return at(question.action, question.spot);
    case "pre-decide":
      return question.action == null ? texts.label("undo") : at(question.action, question.spot);
    case "place-bets": {
      const total = question.bets.reduce((sum, { stake, golden }) => golden.reduce((all, chip) => all + chip, sum + stake), 0);
      return texts.text("web.line.bets", { total });
    }
    case "sit":
      return texts.text("web.sit");
    case "add-money":
      return `${texts.label("add-money")} ${texts.amount(question.amount)}`;
    case "say":
      return texts.text("web.live.chat.title");
    default:
      return texts.text("web.line.wish");
  }
}
