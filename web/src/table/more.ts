/** The way to more money, from every button that leads there. */

import { router } from "../shell/router.svelte";
import { buyIn, type AtTable } from "./buyin";

/** Where the account has none, to the cashier; else `open` opens the window that brings it to the table (PLT-64). */
export function leadToMoney({ table, me }: AtTable, open: () => void): void {
  if (buyIn(table, me).way === "cashier") router.go("/cashier");
  else open();
}
