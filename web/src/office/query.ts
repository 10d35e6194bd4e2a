/** What is chosen on a page, as it stands in the address. */

/** A choice by its name; empty where there is none. */
export function chosenOf(query: string, name: string): string {
  return new URLSearchParams(query).get(name) ?? "";
}

/** The same query with these choices; an empty one is left out. */
export function choosing(query: string, choices: Readonly<Record<string, string>>): string {
  const now = new URLSearchParams(query);
  for (const [name, value] of Object.entries(choices)) {
    if (value) now.set(name, value);
    else now.delete(name);
  }
  return now.toString();
}

/** All choices by name. */
export function choicesOf(query: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(query));
}

/** An address with what is given of a query. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | boolean | null | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined && value !== "") given.set(name, String(value));
  return given.size ? `${path}?${given}` : path;
}
