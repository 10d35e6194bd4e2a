/** Chips: their colours, from the smallest of a rack, and which of them make up a stake. */

export const CHIP_COLOURS = ["#e8e4d8", "#5f9fd6", "#c2433f", "#3d4fb8", "#2f8f5b", "#26241f", "#7a3fa0", "#c98a1c"] as const;

/** Most chips of a stake that are drawn. */
const MOST = 5;

/** The places in the rack of the chips that make up a stake, the largest first and lowest. */
export function chipsOf(value: number, rack: readonly number[]): readonly number[] {
  const found: number[] = [];
  let rest = value;
  for (let index = rack.length - 1; index >= 0 && found.length < MOST; index -= 1) {
    const chip = rack[index] ?? Infinity;
    while (rest >= chip && found.length < MOST) {
      found.push(index);
      rest -= chip;
    }
  }
  return found.length || !value ? found : [0];
}
