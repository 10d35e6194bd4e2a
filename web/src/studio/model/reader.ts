/**
 * Reads what a scanner or a person types: characters, then Enter (STU-04). The text is kept here only, until Enter or until
 * nothing came for a while; it never stands on the page, and only the number of its characters is told (STU-06).
 */

/** A card by the code that stands on it, or by its name. */
export type Reading = { readonly code: string } | { readonly card: string };

/** Milliseconds after which what was typed without Enter is forgotten. */
const FORGOTTEN = 6000;
const CARD = /^(10|[2-9ajqk])[shdc]$/i;
const LONGEST = 64;

interface Key {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

export class Reader {
  readonly #later: (act: () => void, milliseconds: number) => () => void;
  readonly #counted: (length: number) => void;
  readonly #read: (reading: Reading) => void;
  #text = "";
  #cancel: () => void = () => undefined;

  /** `counted` is told how much was typed, `read` what it was once it is whole. */
  constructor(
    later: (act: () => void, milliseconds: number) => () => void,
    counted: (length: number) => void,
    read: (reading: Reading) => void,
  ) {
    this.#later = later;
    this.#counted = counted;
    this.#read = read;
  }

  /** Take a key; gives whether it was one for the reader. */
  take({ key, ctrlKey, altKey, metaKey }: Key): boolean {
    if (ctrlKey || altKey || metaKey) return false;
    if (/^[\w.+-]$/.test(key)) {
      this.#put((this.#text + key).slice(-LONGEST - 1));
      return true;
    }
    if (!this.#text) return false;
    if (key === "Enter") {
      const text = this.#text;
      this.clear();
      this.#read(CARD.test(text) ? { card: text } : { code: text });
    } else if (key === "Backspace") this.#put(this.#text.slice(0, -1));
    else if (key === "Escape") this.clear();
    else return false;
    return true;
  }

  /** Forget what was typed. */
  clear(): void {
    this.#put("");
  }

  #put(text: string): void {
    this.#cancel();
    this.#text = text;
    if (text) this.#cancel = this.#later(() => this.clear(), FORGOTTEN);
    this.#counted(text.length);
  }
}
