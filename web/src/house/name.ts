/** What the house is called: the server puts it into the first page's title. */
export const HOUSE = typeof document === "undefined" || !document.title ? "sabot" : document.title;
