/** Which key stands for what at a table: one meaning for each key, in every phase of every game (PLT-45). */

import { familyOf } from "../../game/lineup";
import type { Game } from "../../games";
import type { Catalogue } from "../../language/catalogue";

const STARTS = ["deal", "repeat-deal", "double-deal"] as const;
const STAKES = ["double-stakes"] as const;
const DECISIONS = ["hit", "stand", "double", "split", "surrender", "cashback"] as const;
const ANSWERS = ["accept", "refuse", "apply-all"] as const;
const BONUS = ["spin", "continue"] as const;

export const MEANINGS = [...STAKES, ...STARTS, ...DECISIONS, ...ANSWERS, ...BONUS] as const;

/** What a key can stand for. */
export type Meaning = (typeof MEANINGS)[number];

/** The letter of a meaning, in the language of the page. */
export function letter(meaning: Meaning, texts: Catalogue): string {
  return texts.text(`key.${meaning}`);
}

/** What has a letter at the tables of a game, in the order of a round. */
export function meanings(game: Game): Meaning[] {
  return MEANINGS.filter((meaning) => {
    switch (meaning) {
      case "deal": // at a live table with seats: to start now
        return familyOf(game.name) !== "majority";
      case "repeat-deal":
      case "double-deal":
        return !game.live;
      case "surrender":
        return game.surrender;
      case "cashback":
        return game.cashback;
      case "apply-all":
        return game.refusalLasts;
      case "spin":
      case "continue":
        return game.bonus !== null;
      default:
        return true;
    }
  });
}

/** Whether an answer for all hands has a button of its own: the letter with SHIFT. */
export function answersForAll(game: Game): boolean {
  return !game.live && !game.refusalLasts;
}
