/** Amounts are whole cents, as on the wire; here they become text, and text becomes them. */

import type { MovementLine } from "../wire";
import type { Catalogue } from "./catalogue";

/** An amount without its currency: `amount(123450, ",", ".")` is `1.234,50`. */
export function amount(cents: number, decimal: string, thousands: string): string {
  const digits = Math.abs(cents).toString().padStart(3, "0");
  const units = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, thousands);
  return `${cents < 0 ? "-" : ""}${units}${decimal}${digits.slice(-2)}`;
}

/** The value on a chip: no cents where there are none, thousands as K. */
export function chipLabel(cents: number, decimal: string): string {
  if (cents % 100_000 === 0) return `${cents / 100_000}K`;
  if (cents % 100 === 0) return (cents / 100).toString();
  return (cents / 100).toFixed(2).replace(".", decimal);
}

/** Why a text is no amount. */
export type Unreadable = "empty" | "unreadable" | "decimals";

/** What a language puts between units and cents, and between thousands. */
export interface Signs {
  readonly decimal: string;
  readonly thousands: string;
}

const CURRENCY = /^(?:€|EUR|FUN)|(?:€|EUR|FUN)$/i;
/** Digits before the cents: as many as can be counted exactly, and more than anyone has. */
const UNITS = /^\d{1,12}$/;

/**
 * The cents of what a person wrote, as their language writes it: `1.000,50` in Italian is `1,000.50` in English.
 * Thousands may be left out. The other language's sign before one or two last digits is meant as the decimal one: it
 * cannot be anything else, and the keypad has no other.
 */
export function readAmount(text: string, { decimal, thousands }: Signs): number | Unreadable {
  const written = text.replace(/\s/g, "").replace(CURRENCY, "");
  if (!written) return "empty";
  const meant = written.includes(decimal) ? written : written.replace(new RegExp(`\\${thousands}(\\d{1,2})$`), `${decimal}$1`);
  const [before = "", after = "", ...more] = meant.split(decimal);
  const groups = before.split(thousands);
  const whole = groups.join("") || "0";
  const grouped = groups.length === 1 || (/^\d{1,3}$/.test(groups[0] ?? "") && groups.slice(1).every((group) => /^\d{3}$/.test(group)));
  if (more.length || !grouped || !UNITS.test(whole) || !/^\d*$/.test(after) || !/\d/.test(meant)) return "unreadable";
  if (after.length > 2) return "decimals";
  return Number(whole) * 100 + Number(after.padEnd(2, "0"));
}

/** What moved on an account: money with its sign, golden chips, or the VIP level (PLT-73). */
export function movedText({ kind, amount, count, currency }: Omit<MovementLine, "at" | "why">, texts: Catalogue): string {
  if (kind === "vip-given") return texts.text("web.cashier.level", { vip: amount });
  if (kind === "golden-given") return texts.text("web.cashier.chips", { count, value: texts.money(amount, currency) });
  return `${amount > 0 ? "+" : "−"}${texts.money(Math.abs(amount), currency)}`;
}
