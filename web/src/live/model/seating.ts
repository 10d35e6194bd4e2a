/** Where seats stand and how wide each is: own ones in front and wider, those with two hands wider, free ones narrower. */

/** A seat, as far as its room goes. */
export interface Seating {
  readonly spot: number;
  readonly own: boolean;
  readonly taken: boolean;
  readonly hands: number;
}

/**
 * The part of a row's width that a seat has. The cards of a share are as the felt's style sheet says: with these an own
 * hand is never smaller than another's, split or not.
 */
export function shareOf({ own, taken, hands }: Seating): number {
  if (own) return hands > 1 ? 2.2 : 1.45;
  if (!taken) return 0.8;
  return hands > 1 ? 1.5 : 1;
}

/** The rows of seats from the back, each from the left: where the screen is narrow, own seats are in front of the others. */
export function rowsOf(seats: readonly Seating[], narrow: boolean): readonly (readonly Seating[])[] {
  const own = seats.filter((seat) => seat.own);
  if (!narrow || !own.length || own.length === seats.length) return [seats];
  return [seats.filter((seat) => !seat.own), own];
}
