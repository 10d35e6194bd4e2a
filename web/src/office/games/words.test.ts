import { expect, it } from "vitest";

import { Catalogue } from "../../language/catalogue";
import { stateText, valueText } from "./words";

const IT = new Catalogue("it");

it("says that all games, a game, a table and a bet are open or closed, each in its gender and number", () => {
  expect(["all", "game", "table", "bet"].map((what) => stateText(what, true, IT))).toEqual(["aperti", "aperto", "aperto", "aperta"]);
  expect(["switch/all", "switch/bet/link/21+3"].map((subject) => valueText({ kind: "switch", subject }, "", false, IT))).toEqual(["chiusi", "chiusa"]);
});
