import { describe, expect, it } from "vitest";
import type { Reply } from "../../net/api";
import type { AnyStudioOrder, Console } from "../../wire";
import { StudioDesk, type Studio } from "./desk.svelte";
import { Reader, type Reading } from "./reader";
import { cardKey } from "./words";

const VIEW = { step: "card", console_scan: 4 } as Console;

/** Everything that was answered has been looked at. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await Promise.resolve();
}

/** A house whose answers a test gives, one by one; `sent` is what it was asked. */
class Asked implements Studio {
  readonly sent: (AnyStudioOrder | (Reading & { readonly scan: number }) | "look")[] = [];
  readonly #answers: ((reply: Reply<Console>) => void)[] = [];
  again: () => void = () => undefined;

  look = () => this.#ask("look");
  order = (order: AnyStudioOrder) => this.#ask(order);
  read = (reading: Reading & { readonly scan: number }) => this.#ask(reading);
  later = (act: () => void) => {
    this.again = act;
    return () => undefined;
  };

  #ask(what: (typeof this.sent)[number]): Promise<Reply<Console>> {
    this.sent.push(what);
    return new Promise((answer) => this.#answers.push(answer));
  }

  async answer(reply: Reply<Console>): Promise<void> {
    await settled();
    this.#answers.shift()?.(reply);
    await settled();
  }
}

async function opened(): Promise<{ studio: Asked; desk: StudioDesk }> {
  const studio = new Asked();
  const desk = new StudioDesk(studio);
  void desk.look();
  await studio.answer({ value: VIEW });
  studio.sent.length = 0;
  return { studio, desk };
}

describe("the presenter's console", () => {
  it("numbers readings one after the other, each when the one before has its answer", async () => {
    const { studio, desk } = await opened();
    desk.read({ code: "x7f2c09a" });
    desk.read({ card: "10h" });
    await studio.answer({ value: { ...VIEW, console_scan: 5 } });
    await studio.answer({ value: { ...VIEW, console_scan: 6 } });
    expect(studio.sent).toEqual([{ code: "x7f2c09a", scan: 5 }, { card: "10h", scan: 6 }]);
    expect([desk.taken, desk.busy]).toEqual([2, false]);
  });

  it("sends a reading without an answer again with its number", async () => {
    const { studio, desk } = await opened();
    desk.read({ card: "10h" });
    await studio.answer({ failure: { code: "house/unreachable", params: {} } });
    expect([desk.repeating, desk.failure]).toEqual([true, null]);
    studio.again();
    await studio.answer({ value: { ...VIEW, console_scan: 5 } });
    expect(studio.sent).toEqual([{ card: "10h", scan: 5 }, { card: "10h", scan: 5 }]);
    expect([desk.repeating, desk.taken]).toEqual([false, 1]);
  });

  it("drops what was read behind a reading that is refused, and asks which number is the next", async () => {
    const { studio, desk } = await opened();
    desk.read({ card: "10h" });
    desk.read({ card: "9h" });
    await studio.answer({ failure: { code: "card/not-in-shoe", params: {} } });
    await studio.answer({ value: { ...VIEW, console_scan: 5 } });
    expect(studio.sent).toEqual([{ card: "10h", scan: 5 }, "look"]);
    expect([desk.failure?.code, desk.dropped, desk.view?.console_scan]).toEqual(["card/not-in-shoe", 1, 5]);
    desk.read({ card: "9h" });
    await settled();
    expect(studio.sent.at(-1)).toEqual({ card: "9h", scan: 6 });
  });

  it("says that it may be old while it cannot be asked for: the house is away, or the role was taken", async () => {
    const { studio, desk } = await opened();
    for (const code of ["house/unreachable", "login/role"]) {
      void desk.look();
      await studio.answer({ failure: { code, params: {} } });
      expect([desk.lost?.code, desk.view?.step]).toEqual([code, "card"]);
    }
    void desk.look();
    await studio.answer({ value: VIEW });
    expect(desk.lost).toBe(null);
  });

  it("does not show a view that was asked for before an order", async () => {
    const { studio, desk } = await opened();
    void desk.look();
    void desk.order({ type: "pay" });
    await studio.answer({ value: { ...VIEW, step: "pay" } });
    expect(desk.view?.step).toBe("card");
    await studio.answer({ value: { ...VIEW, step: "wait" } });
    expect(desk.view?.step).toBe("wait");
  });
});

describe("the reader", () => {
  const key = (key: string) => ({ key, ctrlKey: false, altKey: false, metaKey: false });

  function typed(...keys: string[]): { read: Reading[]; counts: number[]; taken: boolean[]; pass: () => void } {
    const read: Reading[] = [];
    const counts: number[] = [];
    let pass: () => void = () => undefined;
    const later = (act: () => void) => {
      pass = act;
      return () => (pass = () => undefined);
    };
    const reader = new Reader(later, (count) => counts.push(count), (reading) => read.push(reading));
    const taken = keys.map((each) => reader.take(key(each)));
    return { read, counts, taken, pass: () => pass() };
  }

  it("tells a card from a code, and shows nothing but a count", () => {
    expect(typed("1", "0", "h", "Enter", "k", "C", "Enter", "x", "7", "f", "2", "Enter").read).toEqual([{ card: "10h" }, { card: "kC" }, { code: "x7f2" }]);
    expect(typed("1", "0", "Backspace", "Escape", "Enter")).toMatchObject({ read: [], counts: [1, 2, 1, 0], taken: [true, true, true, true, false] });
  });

  it("leaves keys alone that are not for it, and forgets what was not ended", () => {
    expect(typed("Enter", " ", "Tab", "F5").taken).toEqual([false, false, false, false]);
    const left = typed("1", "0");
    left.pass();
    expect(left.counts).toEqual([1, 2, 0]);
  });

  it("names cards as the house reads them", () => {
    expect([0, 22, 51].map(cardKey)).toEqual(["as", "10h", "kc"]);
  });
});
