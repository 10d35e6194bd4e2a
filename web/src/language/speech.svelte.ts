/** The language of the page, and its texts. Only those of the language in use are loaded. */

import { Catalogue, isLoaded, LANGUAGES, loadTexts, type Language, preferred } from "./catalogue";

const STORED = "sabot.language";

class Speech {
  language = $state<Language>(remembered());
  readonly texts = $derived(new Catalogue(this.language));
  /** The language that was chosen last; the page speaks it once its texts are here. */
  #chosen: Language = this.language;

  /** Load the texts of the first page. */
  load(): Promise<void> {
    return loadTexts(this.language);
  }

  choose(language: Language): void {
    this.#chosen = language;
    try {
      localStorage.setItem(STORED, language);
    } catch {
      // A browser that keeps nothing still speaks the chosen language until the page is left.
    }
    if (isLoaded(language)) this.language = language;
    else void loadTexts(language).then(() => this.#speak(language), () => (this.#chosen = this.language));
  }

  /** Texts have arrived: unless another language was chosen meanwhile, the page speaks this one. */
  #speak(language: Language): void {
    if (this.#chosen === language) this.language = language;
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
