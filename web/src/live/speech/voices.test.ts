import { describe, expect, it } from "vitest";
import { bestVoice, type Voiced } from "./voices";

function voice(name: string, lang: string, more: Partial<Voiced> = {}): Voiced {
  return { name, lang, voiceURI: name, localService: true, default: false, ...more };
}

describe("the presenter's voice", () => {
  it("is of the language, the most natural there is", () => {
    const plain = voice("Alice", "it-IT");
    const natural = voice("Microsoft Elsa Online (Natural)", "it_IT");
    expect(bestVoice([voice("Daniel", "en-GB"), plain, natural], "it")).toBe(natural);
    expect(bestVoice([voice("Daniel", "en-GB"), plain], "it")).toBe(plain);
  });

  it("is the one the browser presets among equals", () => {
    const preset = voice("Luca", "it-IT", { default: true });
    expect(bestVoice([voice("Alice", "it-IT"), preset], "it")).toBe(preset);
  });

  it("is none where only a machine's would speak, or another language's", () => {
    expect(bestVoice([voice("Italian", "it", { voiceURI: "espeak-ng:roa/it" }), voice("Daniel", "en-GB")], "it")).toBeNull();
    expect(bestVoice([], "en")).toBeNull();
  });
});
