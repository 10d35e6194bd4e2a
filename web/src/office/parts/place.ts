/** Tables as people call them. */

import type { Catalogue } from "../../language/catalogue";

/** A live table by its name, a solo one by its player; `solo/link` stands for all solo tables of a game. */
export function placeText(place: string, texts: Catalogue): string {
  const [kind, name = "", ...more] = place.split("/");
  if (kind === "live") return name;
  return more.length ? texts.text("office.place.of-player", { player: name }) : texts.text("office.place.solo");
}

/** The table that the house is asked for: a name alone is that of a live one. */
export function placeAsked(written: string): string {
  return !written || written.includes("/") ? written : `live/${written}`;
}
