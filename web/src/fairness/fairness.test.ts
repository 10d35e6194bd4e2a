import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { cardName, check, readRecord, UnreadableError, type RecordedRound } from "./check";
import { opens, rootOf, seedsDigest, shoeRoot } from "./merkle";
import { hex, hmac, sha256, unhex } from "./sha256";
import { shoeOrder, Stream } from "./stream";
import { parseToml, TomlError } from "./toml";

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf-8");
}

/** The vectors of docs/play/fairness.md, section by section. */
const [, VECTORS = ""] = /```toml\n# vectors\n(.*?)```/s.exec(read("../../../docs/play/fairness.md")) ?? [];

function vectors(section: string): Record<string, unknown> {
  const at = VECTORS.indexOf(`[${section}]\n`) + section.length + 3;
  return parseToml(VECTORS.slice(at, at + VECTORS.slice(at).search(/\n\[|$(?![\s\S])/)));
}

function bytes(text: unknown): Uint8Array {
  const found = unhex(String(text));
  if (!found) throw new Error(`${String(text)} is not hexadecimal`);
  return found;
}

describe("hashes", () => {
  it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])("of %i bytes are those of every other program", (length) => {
    const message = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);
    expect(hex(sha256(message))).toBe(createHash("sha256").update(message).digest("hex"));
    for (const key of [new Uint8Array(), message.slice(0, 32), message])
      expect(hex(hmac(key)(message))).toBe(createHmac("sha256", key).update(message).digest("hex"));
  });

  it("read and write hexadecimal", () => {
    expect(hex(bytes("00ff10"))).toBe("00ff10");
    expect([unhex("0"), unhex("0g"), unhex("FF")]).toEqual([null, null, null]);
  });
});

describe("the vectors of docs/play/fairness.md", () => {
  const solo = vectors("solo");
  const seed = bytes(solo["server_seed"]);
  const client = String(solo["client_seed"]);

  it("a solo shoe", () => {
    expect(hex(sha256(seed))).toBe(solo["commitment"]);
    const stream = new Stream(seed, client, "shoe");
    expect([hex(stream.block(0)), hex(stream.block(1))]).toEqual([solo["block_0"], solo["block_1"]]);
    expect(shoeOrder(seed, client, 6).slice(0, 20).map(cardName).join(" ")).toBe(solo["first_cards"]);
    const bonus = new Stream(seed, client, "bonus");
    expect(Array.from({ length: 10 }, () => bonus.below(1000))).toEqual(solo["bonus_below_1000"]);
  });

  it("a Merkle tree", () => {
    const merkle = vectors("merkle");
    const leaves = (merkle["leaves"] as string[]).map(bytes);
    const roots = leaves.map((_, index) => hex(rootOf(leaves.slice(0, index + 1))));
    expect(roots).toEqual(merkle["roots"]);
  });

  it("a live shoe, and the opening of a card", () => {
    const live = vectors("live");
    const opening = vectors("live.opening");
    const digest = seedsDigest(live["seeds"] as string[]);
    expect(digest).toBe(live["client_seed"]);
    expect(shoeRoot(bytes(live["server_seed"]), digest, 8)).toBe(live["root"]);
    const order = shoeOrder(bytes(live["server_seed"]), digest, 8);
    expect(order.slice(0, 20).map(cardName).join(" ")).toBe(live["first_cards"]);
    const [position, salt, path] = [Number(opening["position"]), String(opening["salt"]), opening["path"] as string[]];
    const card = order[position] ?? -1;
    expect(cardName(card)).toBe(opening["card"]);
    const root = String(live["root"]);
    expect(opens(root, 416, { position, card, salt, path })).toBe(true);
    expect(opens(root, 416, { position, card: card + 1, salt, path })).toBe(false);
    expect(opens(root, 416, { position: position + 1, card, salt, path })).toBe(false);
    expect(opens(root, 416, { position, card, salt, path: path.slice(1) })).toBe(false);
    expect(opens(root, 416, { position, card, salt, path: [...path, ...path] })).toBe(false);
    expect(opens(root, 416, { position, card, salt: "00", path })).toBe(false);
  });
});

const RECORDS = ["surrender", "cashback", "link-table", "link-wheel", "majority-eu"] as const;

describe.each(RECORDS)("the record %s", (name) => {
  const text = read(`./records/${name}.toml`);

  it("fits", () => {
    const verdict = check(readRecord(text));
    expect(verdict).toMatchObject({ seeded: true, commitment: true, wrongHands: [], good: true });
    expect(verdict.wrongBonus).toEqual(name.startsWith("link") ? [] : null);
    expect(verdict.dealt).toBeGreaterThan(5);
    expect(verdict.order).toHaveLength(name === "majority-eu" ? 416 : 312);
  });

  it.each<[string, (round: RecordedRound) => Partial<RecordedRound>]>([
    ["server seed", ({ serverSeed }) => ({ serverSeed: serverSeed.replace("0001", "0101") })],
    ["commitment", ({ commitment }) => ({ commitment: commitment.replace("63", "64") })],
    ["client seed", ({ clientSeed }) => ({ clientSeed: `${clientSeed}.` })],
    ["place in the shoe", ({ start }) => ({ start: start + 1 })],
    ["burnt card", ({ burn }) => ({ burn: !burn })],
    ["game", ({ game }) => ({ game: game === "freebet" ? "link" : "freebet" })],
  ])("with another %s does not", (_, change) => {
    const round = readRecord(text);
    expect(check({ ...round, ...change(round) }).good).toBe(false);
  });

  it("with any card changed does not, and says where", () => {
    for (const [line, hand] of text.matchAll(/^cards = "(\S+)[^"]*"$/gm)) {
      const other = text.replace(line, line.replace(hand ?? "", hand === "As" ? "2s" : "As"));
      const verdict = check(readRecord(other));
      expect(verdict.good).toBe(false);
      expect(verdict.wrongHands).toHaveLength(1);
    }
  });
});

describe("a player's own record of a live round", () => {
  const text = read("./records/own.toml");

  it("fits", () => {
    expect(check(readRecord(text))).toMatchObject({
      seeded: true,
      commitment: true,
      live: { seeds: true, root: true },
      wrongHands: [],
      dealt: 5,
      good: true,
    });
  });

  it.each([
    ['seeds = ["Ferrara"', 'seeds = ["Modena"', { live: { seeds: false, root: true } }],
    ['root = "ca', 'root = "cb', { live: { seeds: true, root: false } }],
    ["24 0.0 Jc", "24 0.0 Qc", { wrongHands: [{ spot: 0, hand: 0, told: [50], found: [49] }] }],
    ["27 dealer 9s", "28 dealer 9s", { wrongHands: [{ spot: -1 }] }],
    ['seed = "00', 'seed = "01', { commitment: false }],
  ])("with %s changed does not", (old, changed, found) => {
    expect(text).toContain(old);
    expect(check(readRecord(text.replace(old, changed)))).toMatchObject({ ...found, good: false });
  });

  it("cannot be checked before its shoe is revealed", () => {
    expect(check(readRecord(text.replace(/^seed = .*\n/m, "")))).toMatchObject({ seeded: false, good: false });
  });

  it("is refused where its cards cannot be read", () => {
    expect(() => readRecord(text.replace("23 burnt", "23 gone"))).toThrow(UnreadableError);
  });
});

it("notices a bonus that paid otherwise", () => {
  const text = read("./records/link-table.toml");
  const other = text.replace(/(why = "link"\nstake = 500\nresult = "win"\npaid = )(\d+)/, "$11000");
  expect(other).not.toBe(text);
  const verdict = check(readRecord(other));
  expect(verdict.good).toBe(false);
  expect(verdict.wrongBonus?.[0]).toMatchObject({ told: 1 });
});

it("says that a given order of cards proves nothing", () => {
  const text = read("./records/surrender.toml").replace(/^(commitment|seed|client_seed) = .*\n/gm, "");
  expect(check(readRecord(text))).toMatchObject({ seeded: false, good: false });
});

it.each([
  ["", "[round]"],
  ["hello", "= is missing"],
  ['[round]\ngame = "poker"\ncode = "x"\n[shoe]\n', "game poker"],
  ['[round]\ngame = "link"\n[shoe]\n', "code"],
  ['[round]\ngame = "link"\ncode = "x"\n[shoe]\n[[hand]]\nspot = 0\nhand = 0\ncards = "1x"\nended = ""\n', "card 1x"],
])("refuses %j", (text, reason) => {
  expect(() => readRecord(text)).toThrow(UnreadableError);
  expect(() => readRecord(text)).toThrow(reason);
});

describe("TOML", () => {
  it("is read as records write it", () => {
    const text = '# a record\na = 1 # one\nb = "x \\"y\\" \\u00e8"\nc = [1, [2, 3],\n  4,\n]\nd = {e = true, "f-g" = {}}\n\n[t]\nn = -5\n[[r]]\nk = false\n[[r]]\n';
    expect(JSON.parse(JSON.stringify(parseToml(text)))).toEqual({
      a: 1,
      b: 'x "y" è',
      c: [1, [2, 3], 4],
      d: { e: true, "f-g": {} },
      t: { n: -5 },
      r: [{ k: false }, {}],
    });
  });

  it.each(["a", "a =", "a = 1 b = 2", "a = 'x'", 'a = "x', "a = 1\na = 2", "[t]\n[t]", "a = 1\n[[a]]", "a = [1", "a = {b = 1", "a = 1.5", `a = ${"[".repeat(20)}`])(
    "refuses %j",
    (text) => expect(() => parseToml(text)).toThrow(TomlError),
  );

  it("names the line", () => {
    expect(() => parseToml("a = 1\nb = \n")).toThrow("2: a value is missing");
  });

  it("is not led astray by names", () => {
    const table = parseToml('__proto__ = "x"\nconstructor = 1\n');
    expect(Object.keys(table)).toEqual(["__proto__", "constructor"]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

it("says of a record that a person dealt that there was no commitment, also of a player's own", () => {
  const part = 'dealing = "studio"\nstart = 23\n';
  const own = read("./records/own.toml").replace(/\[shoe\]\n[^]*?(?=\n\[)/, `[studio]\n${part}`);
  const whole = read("./records/surrender.toml").replace(/^(commitment|seed|client_seed) = .*\n/gm, "").replace("[shoe]\n", '[shoe]\ndealing = "studio"\n');
  for (const text of [own, whole]) {
    expect(text).toContain('dealing = "studio"');
    expect(check(readRecord(text))).toMatchObject({ seeded: false, round: { byHand: true, live: null }, holes: [] });
  }
});

it("checks the card that lay face down against its commitment, and against the one that was turned (STU-06)", () => {
  const salt = "00112233445566778899aabbccddeeff";
  const promise = (card: number) => hex(sha256(Uint8Array.from([...(unhex(salt) ?? []), card])));
  const recorded = (...holes: string[]) =>
    read("./records/own.toml").replace(/\[shoe\]\n[^]*?(?=\n\[)/, `[studio]\ndealing = "studio"\nstart = 23\nholes = ${JSON.stringify(holes)}\n`);
  const [nine, king] = [8, 12];
  const verdict = (...holes: string[]) => check(readRecord(recorded(...holes))).holes;
  expect(verdict(`${promise(nine)} ${salt} 9s`)).toEqual([{ card: nine, good: true }]);
  expect(verdict(`${promise(king)} ${salt} Ks`, `${promise(nine)} ${salt} 9s`)).toEqual([
    { card: king, good: true },
    { card: nine, good: true },
  ]);
  expect(verdict(`${promise(king)} ${salt} 9s`)).toEqual([{ card: nine, good: false }]);
  expect(verdict(`${promise(king)} ${salt} Ks`)).toEqual([{ card: king, good: false }]); // a nine was turned
  for (const hole of ["", `${promise(nine)} ${salt}`, `${promise(nine)} ${salt} 9x`, `x ${salt} 9s`]) expect(() => verdict(hole)).toThrow();
});
