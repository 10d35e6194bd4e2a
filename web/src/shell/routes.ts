/** The addresses of the client, and what each shows. */

export type Currency = "EUR" | "FUN";

export type Route =
  | { readonly name: "lobby" }
  | { readonly name: "enter"; readonly register: boolean; readonly next: string }
  | { readonly name: "play"; readonly game: string; readonly currency: Currency | null }
  | { readonly name: "live"; readonly table: string }
  | { readonly name: "studio"; readonly table: string }
  | { readonly name: "office"; readonly page: string; readonly item: string; readonly query: string }
  | { readonly name: "history" }
  | { readonly name: "round"; readonly code: string }
  | { readonly name: "cashier" }
  | { readonly name: "settings" }
  | { readonly name: "responsible" }
  | { readonly name: "help"; readonly game: string; readonly table: string }
  | { readonly name: "prizes"; readonly game: string }
  | { readonly name: "fairness" }
  | { readonly name: "terms" }
  | { readonly name: "assistance"; readonly round: string }
  | { readonly name: "unknown" };

/** Pages that a stranger cannot see. */
const PRIVATE: readonly Route["name"][] = ["play", "live", "studio", "office", "history", "round", "cashier", "settings", "responsible"];
/** Pages where nothing is played. */
const QUIET: readonly Route["name"][] = ["history", "round", "cashier", "settings", "responsible", "help", "prizes", "fairness", "terms", "assistance"];

export function isPrivate(route: Route): boolean {
  return PRIVATE.includes(route.name);
}

export function isQuiet(route: Route): boolean {
  return QUIET.includes(route.name);
}

/** Pages for a self-excluded or locked player, who was let in to withdraw (PLT-73): nothing is set there. */
export function isForWithdrawing(route: Route): boolean {
  return isQuiet(route) && route.name !== "settings";
}

/** Pages that open beside a table, while one is at it (PLT-44, PLT-48). */
export function opensBeside(route: Route): boolean {
  return route.name === "lobby" || isQuiet(route);
}

/** What an address shows. */
export function routeOf(path: string, search = ""): Route {
  const [first = "", second = "", third = "", ...more] = path.split("/").filter(Boolean).map(decoded);
  const query = new URLSearchParams(search);
  if (more.length) return { name: "unknown" };
  switch (`${first}/${second ? 1 : 0}${third ? 1 : 0}`) {
    case "/00":
      return { name: "lobby" };
    case "enter/00":
      return { name: "enter", register: query.has("register"), next: inside(query.get("next")) };
    case "play/10":
      return { name: "play", game: second, currency: null };
    case "play/11":
      return third === "fun" ? { name: "play", game: second, currency: "FUN" } : { name: "unknown" };
    case "live/10":
      return { name: "live", table: second };
    case "studio/10":
      return { name: "studio", table: second };
    case "office/00":
    case "office/10":
    case "office/11":
      return { name: "office", page: second, item: third, query: query.toString() };
    case "history/00":
      return { name: "history" };
    case "history/10":
      return { name: "round", code: second };
    case "cashier/00":
    case "settings/00":
    case "responsible/00":
    case "fairness/00":
    case "terms/00":
      return { name: first as "cashier" | "settings" | "responsible" | "fairness" | "terms" };
    case "assistance/00":
      return { name: "assistance", round: query.get("round") ?? "" };
    case "help/00":
      return { name: "help", game: "", table: "" };
    case "help/10":
      return { name: "help", game: second, table: query.get("table") ?? "" };
    case "prizes/10":
      return { name: "prizes", game: second };
    default:
      return { name: "unknown" };
  }
}

/** The address of a solo game; play money is asked for, else it is the money the player has. */
export function playPath(game: string, currency: Currency | null): string {
  return currency === "FUN" ? `/play/${game}/fun` : `/play/${game}`;
}

/** The address of a table by its name on the wire, `solo/7/surrender/FUN` or `live/majority-eu`. */
export function seatPath(table: string, demo: boolean): string {
  const [kind = "", second = "", game = "", currency = ""] = table.split("/");
  if (kind === "live") return `/live/${second}`;
  return playPath(game, currency === "FUN" && !demo ? "FUN" : null);
}

export function enterPath(next: string, register = false): string {
  const query = [register ? "register" : "", next === "/" ? "" : `next=${encodeURIComponent(next)}`].filter(Boolean);
  return `/enter${query.length ? `?${query.join("&")}` : ""}`;
}

/** An address of this page's own to go on to; nobody is sent elsewhere. */
function inside(next: string | null): string {
  return next?.startsWith("/") && !/^\/[/\\]/.test(next) ? next : "/";
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
