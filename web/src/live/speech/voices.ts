/** Which of the browser's voices the presenter speaks with. */

/** What tells a voice from others. */
export type Voiced = Pick<SpeechSynthesisVoice, "name" | "lang" | "voiceURI" | "localService" | "default">;

const GOOD = /natural|neural|premium|enhanced|siri|google|online/i;
/** Voices that are put together by rules: a presenter does not speak like that. */
const ROBOTS = /espeak|mbrola|festival|pico|flite|rhvoice/i;

/** The best voice for a language; null where there is none that is good enough, and the words are read. */
export function bestVoice<V extends Voiced>(voices: readonly V[], language: string): V | null {
  const fit = voices.filter(({ lang, name, voiceURI }) => {
    const [spoken = ""] = lang.toLowerCase().split(/[-_]/);
    return spoken === language && !ROBOTS.test(`${name} ${voiceURI}`);
  });
  const rank = ({ name, default: preset }: Voiced) => (GOOD.test(name) ? 2 : 0) + (preset ? 1 : 0);
  return [...fit].sort((one, other) => rank(other) - rank(one))[0] ?? null;
}
