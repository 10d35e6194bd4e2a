/** The language of the page, and its texts. Only those of the language in use are loaded. */

import { keep, kept } from "../house/memory";
import { Catalogue, isLoaded, LANGUAGES, loadTexts, needOfficeTexts, type Language, preferred } from "./catalogue";

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

  /** Load what the back office says. */
  loadOffice(): Promise<void> {
    needOfficeTexts();
    return this.load();
  }

  choose(language: Language): void {
    this.#chosen = language;
    keep(STORED, language);
    if (isLoaded(language)) this.language = language;
    else void loadTexts(language).then(() => this.#speak(language), () => (this.#chosen = this.language));
  }

  /** Texts have arrived: unless another language was chosen meanwhile, the page speaks this one. */
  #speak(language: Language): void {
    if (this.#chosen === language) this.language = language;
  }
}

function remembered(): Language {
  const stored = kept(STORED);
  return LANGUAGES.find((language) => language === stored) ?? preferred(navigator.languages);
}

export const speech = new Speech();
