/** What the house is called: the server puts it into the first page's title. */
export const HOUSE = typeof document === "undefined" || !document.title ? "sabot" : document.title;

/** The name by which others see a player: a generated one is shortened, as the house does it. */
export function screenName(name: string): string {
  return /^(demo|bot)-[0-9a-f]{16}$/.test(name) ? name.slice(0, -12) : name;
}
