import { expect, test } from "vitest";
import { Catalogue } from "../language/catalogue";
import { covers, lack, limited } from "./lack";

const texts = new Catalogue("it");

test("the loss limit is the reason only where the balance would do (ASR-41)", () => {
  expect(limited(1000, { balance: 2000, left: 500 })).toBe(true);
  expect(limited(1000, { balance: 900, left: 500 })).toBe(false);
  expect(limited(1000, { balance: 2000, left: null })).toBe(false);
  expect([500, 501].map((cost) => covers(cost, { balance: 2000, left: 500 }))).toEqual([true, false]);
  expect(covers(1, null)).toBe(false);
  expect(lack(1000, { balance: 2000, left: 0 }, texts)).toBe("limite di perdita");
  expect(lack(1000, { balance: 0, left: 0 }, texts)).toBe("saldo insufficiente");
});
