/** The pages of the back office, and which roles see and change what (OFF-06, PLT-60). */

import type { IconName } from "../shell/icons";
import type { PlayerAccount } from "../wire";

export type Role = PlayerAccount["role"];
export type PageName = (typeof PAGES)[number]["name"];

interface OfficePage {
  readonly name: string;
  readonly icon: IconName;
  /** Who may look at it. */
  readonly roles: readonly Role[];
}

/** Who reads everything; also told where somebody is needed (OFF-07). */
export const READERS: readonly Role[] = ["supervisor", "administrator", "auditor"];
const EVERYONE: readonly Role[] = ["presenter", ...READERS];

/** In the order of the navigation; the first that a role may see is where it arrives. */
export const PAGES = [
  { name: "overview", icon: "lobby", roles: READERS },
  { name: "games", icon: "settings", roles: READERS },
  { name: "proposals", icon: "check", roles: READERS },
  { name: "players", icon: "care", roles: READERS },
  { name: "rounds", icon: "history", roles: READERS },
  { name: "floor", icon: "table", roles: EVERYONE },
  { name: "chat", icon: "chat", roles: READERS },
  { name: "events", icon: "info", roles: READERS },
  { name: "monitoring", icon: "fairness", roles: READERS },
  { name: "reports", icon: "copy", roles: READERS },
  { name: "self-check", icon: "focus", roles: READERS },
  { name: "users", icon: "star", roles: READERS },
  { name: "security", icon: "enter", roles: EVERYONE },
] as const satisfies readonly OfficePage[];

/** The pages that a role may see. */
export function pagesOf(role: Role): readonly (typeof PAGES)[number][] {
  return PAGES.filter(({ roles }) => roles.includes(role));
}

/** What each kind of change needs: the same classes of access as the house's routes. */
const CHANGERS = {
  presenter: ["presenter", "supervisor", "administrator"],
  supervisor: ["supervisor", "administrator"],
  administrator: ["administrator"],
} as const;

/** Whether a role may change what needs an access. */
export function may(role: Role | undefined, access: keyof typeof CHANGERS): boolean {
  return role !== undefined && (CHANGERS[access] as readonly Role[]).includes(role);
}
