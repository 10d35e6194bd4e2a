import { describe, expect, it } from "vitest";
import { EMPTY } from "../../game/table";
import { opens } from "../../fairness/hole";
import { isDue } from "./studio";
import type { LiveState } from "./state";

describe("a table where a person deals", () => {
  it("checks the commitment to the face-down card: SHA-256 of salt and card byte", () => {
    // python: hashlib.sha256(bytes(range(16)) + bytes([22])).hexdigest()
    const [salt, commitment] = ["000102030405060708090a0b0c0d0e0f", "fb174a150d3fe1d1a61808909d01aa7bcd53ebf9fa75d3bd2d823d4e8fb08b56"];
    expect(opens(commitment, salt, 22)).toBe(true);
    expect(opens(commitment, salt, 23)).toBe(false);
    expect(opens(commitment, salt.replace("0f", "0e"), 22)).toBe(false);
  });

  it("marks the hand that the next card is for, and none in a pause or for a payment", () => {
    const waiting = (due: LiveState["view"]["due"], paused = "") => ({ view: { ...EMPTY, due }, paused }) as LiveState;
    expect(isDue(waiting({ what: "card", spot: 2, hand: 1 }), 2, 1)).toBe(true);
    expect(isDue(waiting({ what: "card", spot: 2, hand: 1 }), 2, 0)).toBe(false);
    expect(isDue(waiting({ what: "hole", spot: -1, hand: 0 }), -1)).toBe(true);
    expect(isDue(waiting({ what: "pay", spot: -1, hand: 0 }), -1)).toBe(false);
    expect(isDue(waiting({ what: "card", spot: 2, hand: 1 }, "looking"), 2, 1)).toBe(false);
    expect(isDue(waiting(null), 0)).toBe(false);
  });
});
