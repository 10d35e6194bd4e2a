import { beforeEach, expect, it, vi } from "vitest";
import { LOADERS } from "../texts";

beforeEach(() => {
  vi.resetModules(); // nothing is loaded yet
  vi.stubGlobal("navigator", { languages: ["it-IT"] });
});

it("loads the language in use, and another one when it is chosen", async () => {
  const [english, italian] = [vi.spyOn(LOADERS, "en"), vi.spyOn(LOADERS, "it")];
  vi.doMock("../texts", async (original) => ({ ...(await original<object>()), LOADERS }));
  const { speech } = await import("./speech.svelte");
  await speech.load();
  expect(speech.texts.text("language.name")).toBe("Italiano");
  expect([italian, english].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  speech.choose("en");
  expect(speech.language).toBe("it"); // until its texts are here
  await vi.waitFor(() => expect(speech.texts.text("language.name")).toBe("English"));
  speech.choose("it");
  expect(speech.language).toBe("it"); // at once: they have been here before
  expect([italian, english].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it("speaks the one that was chosen last, however late the other comes", async () => {
  let arrive: () => void = () => undefined;
  const english = { default: { "language.name": "English" } };
  const late = new Promise((done) => (arrive = () => done(english)));
  vi.doMock("../texts", async (original) => ({ ...(await original<object>()), LOADERS: { ...LOADERS, en: () => late } }));
  const { speech } = await import("./speech.svelte");
  await speech.load();
  speech.choose("en");
  speech.choose("it");
  arrive();
  await late;
  await Promise.resolve();
  expect(speech.language).toBe("it");
});
