import { expect, it } from "vitest";
import type { Reply } from "../../net/api";
import { Listing } from "./listing.svelte";

type Page = { readonly lines: readonly number[]; readonly next: string | null };

/** A list whose pages come when the test says so. */
function listing() {
  const asked: { before: string | null; answer: (reply: Reply<Page>) => void }[] = [];
  const list = new Listing<Page>((before) => new Promise((answer) => asked.push({ before, answer })));
  return { list, asked };
}

it("puts pages one after the other, and begins again with another choice", async () => {
  const { list, asked } = listing();
  const first = list.first();
  expect(list.waiting).toBe(true);
  asked[0]?.answer({ value: { lines: [5, 4], next: "4" } });
  await first;
  expect([list.waiting, list.next]).toEqual([false, "4"]);
  const second = list.more();
  asked[1]?.answer({ value: { lines: [3], next: null } });
  expect(await second).toBe(true);
  expect(asked.map(({ before }) => before)).toEqual([null, "4"]);
  expect(list.pages.flatMap(({ lines }) => lines)).toEqual([5, 4, 3]);
  const again = list.first();
  asked[2]?.answer({ value: { lines: [9], next: null } });
  await again;
  expect(list.pages.flatMap(({ lines }) => lines)).toEqual([9]);
});

it("does not show a page that comes late for another choice", async () => {
  const { list, asked } = listing();
  const first = list.first();
  const other = list.first();
  asked[1]?.answer({ value: { lines: [2], next: null } });
  asked[0]?.answer({ value: { lines: [1], next: null } });
  await Promise.all([first, other]);
  expect(list.pages).toEqual([{ lines: [2], next: null }]);
});

it("says why no page came, and keeps those that are there", async () => {
  const { list, asked } = listing();
  const first = list.first();
  asked[0]?.answer({ value: { lines: [5], next: "5" } });
  await first;
  const more = list.more();
  asked[1]?.answer({ failure: { code: "house/unreachable", params: {} } });
  expect(await more).toBe(false);
  expect([list.failure?.code, list.pages.length, list.next]).toEqual(["house/unreachable", 1, "5"]);
});
