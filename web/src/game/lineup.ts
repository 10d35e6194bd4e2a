/** The five games as the lobby shows them, and how one is found among them. */

import { GAMES, type Game } from "../games";
import type { TableHead } from "../wire";
import type { Catalogue } from "../language/catalogue";
import type { Currency } from "../shell/routes";
import { sectionName } from "./say";

export interface Offered {
  /** The name of the game, or of the family of games that are one to a player. */
  readonly family: string;
  /** Its rule sets: the two dealings of Majority are one game. */
  readonly names: readonly [string, ...string[]];
}

export const LINEUP: readonly Offered[] = [
  { family: "surrender", names: ["surrender"] },
  { family: "cashback", names: ["cashback"] },
  { family: "link", names: ["link"] },
  { family: "freebet", names: ["freebet"] },
  { family: "majority", names: ["majority-eu", "majority-us"] },
];

export function familyOf(game: string): string {
  return LINEUP.find(({ names }) => names.includes(game))?.family ?? game;
}

/** Whether a game is played alone, at a table of one's own. */
export function isSolo(game: string): boolean {
  return LINEUP.some(({ names }) => names.includes(game)) && GAMES[game]?.live === false;
}

/** The title of a game without what tells its dealings apart. */
export function titleOf({ names: [name] }: Offered): string {
  return (GAMES[name]?.title ?? name).replace(/ \((EU|US)\)$/, "");
}

/** What one bet of a game gives back, in per cent as published; empty where nothing is. */
export function returned(game: Game | undefined, bet: string, texts: Catalogue): string {
  const percent = game?.published[bet];
  return percent ? texts.text("web.lobby.percent", { percent: texts.decimal(percent) }) : "";
}

/** What a side bet pays for something: its name, what that means where the name does not say it, and the odds. */
export interface Prize {
  readonly name: string;
  readonly meaning: string;
  readonly odds: string;
}

/** What a side bet pays, from the highest combination; LINK pays what its wheel and its tables do (LNK-30). */
export function prizesOf(game: Game, bet: string, texts: Catalogue): readonly Prize[] {
  const odds = (num: number) => texts.text("web.pays", { num, den: 1 });
  const prizes = (game.sideBets.find(({ name }) => name === bet)?.prizes ?? []).map(([category, pays]) => {
    const meaning = texts.named("meaning", category);
    return { name: texts.named("category", category), meaning: meaning === category ? "" : meaning, odds: odds(pays) };
  });
  if (bet !== "link" || !game.bonus) return prizes;
  const { wheel, ranges, pays } = game.bonus;
  const sections = wheel.map(([section]) => {
    const [least, most] = ranges[section] ?? [0, 0];
    const range = { least: texts.whole(least), most: texts.whole(most) };
    return { name: sectionName(section, texts), meaning: "", odds: typeof section === "number" ? odds(section) : texts.text("web.bonus.range", range) };
  });
  return [...sections, ...pays.map(([name, times]) => ({ name: name.toUpperCase(), meaning: "", odds: odds(times) }))];
}

/** Whether every word that was written stands in one of the texts. */
export function matches(written: string, where: readonly string[]): boolean {
  const text = plain(where.join(" "));
  return plain(written).split(/\s+/).filter(Boolean).every((word) => text.includes(word));
}

function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** What can be searched of a game: titles, what it is about, its bets, how it is played. */
export function gameWords(game: Offered, texts: Catalogue): readonly string[] {
  const found = GAMES[game.names[0]];
  const own = texts.at(game.family);
  return [
    ...game.names.map((name) => GAMES[name]?.title ?? name),
    texts.named("web.tagline", game.family),
    texts.text(found?.live ? "web.lobby.live" : "web.lobby.solo"),
    ...(found?.sideBets ?? []).map(({ name }) => own.named("kind", name)),
  ];
}

export function tableWords(table: TableHead, texts: Catalogue): readonly string[] {
  return [
    table.title,
    table.table,
    GAMES[table.game]?.title ?? table.game,
    texts.text(table.eu ? "web.lobby.EU" : "web.lobby.US"),
    table.currency,
    texts.text(`web.lobby.money-${table.currency}`),
    texts.text("web.lobby.live"),
  ];
}

/** Tables for the money that is played first, then those with the most room to join. */
export function inOrder(tables: readonly TableHead[], money: Currency): readonly TableHead[] {
  const rank = (table: TableHead) => (table.currency === money ? 0 : 1);
  return [...tables].sort((one, other) => rank(one) - rank(other) || one.table.localeCompare(other.table));
}

/** Favourites first, else in the order they are in. */
export function favouritesFirst<T>(all: readonly T[], isFavourite: (one: T) => boolean): readonly T[] {
  return [...all.filter(isFavourite), ...all.filter((one) => !isFavourite(one))];
}

/** The word for what a table is doing. */
export function stateOf(table: TableHead, texts: Catalogue): string {
  return texts.named("web.state", table.closed ? "closed" : table.paused ? "paused" : table.phase);
}
