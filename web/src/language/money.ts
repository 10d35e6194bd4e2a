/** Amounts are whole cents, as on the wire; here they become text, and text becomes them. */

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

/** The cents of what a person wrote, `10`, `2,5` or `2.50`; null if it is no amount. */
export function parseAmount(text: string): number | null {
  const match = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
