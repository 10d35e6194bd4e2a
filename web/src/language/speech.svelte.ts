/** The language of the page, and its texts. */

import { Catalogue, LANGUAGES, type Language, preferred } from "./catalogue";

const STORED = "sabot.language";

class Speech {
  language = $state<Language>(remembered());
  readonly texts = $derived(new Catalogue(this.language));

  choose(language: Language): void {
    this.language = language;
    try {
      localStorage.setItem(STORED, language);
    } catch {
      // A browser that keeps nothing still speaks the chosen language until the page is left.
    }
  }
}

function remembered(): Language {
  try {
    const stored = localStorage.getItem(STORED);
    const known = LANGUAGES.find((language) => language === stored);
    if (known) return known;
  } catch {
    // As above.
  }
  return preferred(navigator.languages);
}

export const speech = new Speech();
