/** The house's HTTP interface. The session is a cookie that scripts cannot read. */

import type {
  Balance,
  CashierPage,
  Failure,
  GamePage,
  Games,
  HistoryPage,
  Lobby,
  Movements,
  Operator,
  Payment,
  PlayerAccount,
  Protecting,
  Protections,
  Registering,
  RoundView,
  Settings,
  Terms,
  VideoAccess,
} from "../wire";

import { reach } from "./reach.svelte";

/** Who is logged in, and where to go on. */
export type Account = PlayerAccount;

/** A response: its value, or why the request was refused. */
export type Reply<T> = { readonly value: T } | { readonly failure: Failure };

/** Why a player logs in; a self-excluded or locked player can log in to withdraw only (ASR-41, PLT-73). */
export type Purpose = "play" | "withdraw";

const UNREACHABLE: Failure = { code: "house/unreachable", params: {} };

async function ask(method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<Response> {
  return fetch(`/api/v1/${path}`, {
    method,
    credentials: "same-origin",
    // What was just changed is saved even if the page is left at once.
    keepalive: method === "PUT",
    ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  });
}

async function failureOf(response: Response): Promise<Failure> {
  return ((await response.json()) as { error: Failure }).error;
}

/** A file to be saved, by the name that the house gives it. */
export interface SentFile {
  readonly name: string;
  readonly content: Blob;
}

/** Nothing, a file, a text, or what is written in JSON. */
async function contentOf(response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  const name = /^attachment; filename="(.+)"$/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  if (name !== undefined) return { name, content: await response.blob() } satisfies SentFile;
  return response.headers.get("Content-Type")?.startsWith("text/") ? response.text() : response.json();
}

export async function call<T>(method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<Reply<T>> {
  const sent = reach.begin(method !== "GET");
  try {
    const response = await ask(method, path, body);
    const reply = response.ok ? { value: (await contentOf(response)) as T } : { failure: await failureOf(response) };
    reach.end(sent, true);
    return reply;
  } catch {
    reach.end(sent, false);
    return { failure: UNREACHABLE };
  }
}

// Coming in and going

/** The account of the running session. */
export function whoAmI(): Promise<Reply<Account>> {
  return call("GET", "me");
}

/** Come in as a new demo player with play money. */
export function demo(): Promise<Reply<Account>> {
  return enter("demo", {});
}

export function logIn(name: string, password: string, purpose: Purpose = "play"): Promise<Reply<Account>> {
  return enter("login", { name, password, purpose });
}

/** Come in as a new player: with the date of birth, and the version of the terms that is accepted (PLT-62). */
export function register(newcomer: Omit<Registering, "bearer">): Promise<Reply<Account>> {
  return enter("register", newcomer);
}

async function enter(path: string, body: unknown): Promise<Reply<Account>> {
  const reply = await call<unknown>("POST", path, body);
  return "failure" in reply ? reply : whoAmI();
}

export function operator(): Promise<Reply<Operator>> {
  return call("GET", "operator");
}

export function terms(): Promise<Reply<Terms>> {
  return call("GET", "terms");
}

export function acceptTerms(version: string): Promise<Reply<null>> {
  return call("POST", "terms", { version });
}

export function logOut(): Promise<Reply<null>> {
  return call("POST", "logout");
}

export function logOutEverywhere(): Promise<Reply<null>> {
  return call("POST", "logout-everywhere");
}

export function changePassword(old: string, fresh: string): Promise<Reply<unknown>> {
  return call("PUT", "password", { old, new: fresh });
}

// The player's own

export function settings(): Promise<Reply<Settings>> {
  return call("GET", "settings");
}

export function changeSettings(all: Settings): Promise<Reply<Settings>> {
  return call("PUT", "settings", all);
}

export function protections(): Promise<Reply<Protections>> {
  return call("GET", "protections");
}

export function protect(wishes: Protecting): Promise<Reply<Protections>> {
  return call("PUT", "protections", wishes);
}

/** The player has seen what the session came to (PLT-51). */
export function answerRealityCheck(): Promise<Reply<null>> {
  return call("POST", "reality-check");
}

// Games and tables

export function games(): Promise<Reply<Games>> {
  return call("GET", "games");
}

/** All about a game; with a live table's name, as it is played there. */
export function game(name: string, table = ""): Promise<Reply<GamePage>> {
  return call("GET", `games/${encodeURIComponent(name)}${table ? `?table=${encodeURIComponent(table)}` : ""}`);
}

/** Every live table, for those who are not connected. */
export function tables(): Promise<Reply<Pick<Lobby, "tables">>> {
  return call("GET", "tables");
}

// Rounds

/** What of a list: a game's rounds, payments in or out; in a currency, in a time in milliseconds, `until` being out. */
export interface Wanted {
  readonly game?: string;
  readonly way?: string;
  readonly currency?: "EUR" | "FUN";
  readonly since?: number;
  readonly until?: number;
}

/** Rounds of the player, newest first. */
export function history(before: string | null, wanted: Wanted = {}): Promise<Reply<HistoryPage>> {
  return call("GET", `history?${queryOf(before, wanted)}`);
}

function queryOf(before: string | null, wanted: Wanted): URLSearchParams {
  const query = new URLSearchParams(before === null ? {} : { before });
  for (const [name, value] of Object.entries(wanted)) query.set(name, String(value));
  return query;
}

export function round(code: string): Promise<Reply<RoundView>> {
  return call("GET", `history/${encodeURIComponent(code)}`);
}

/** The record of a round, a TOML text. */
export function record(code: string): Promise<Reply<string>> {
  return call("GET", `records/${encodeURIComponent(code)}`);
}

// Money

export function cashier(): Promise<Reply<CashierPage>> {
  return call("GET", "cashier");
}

/** Payments of the player, newest first. */
export function movements(before: string | null, wanted: Wanted = {}): Promise<Reply<Movements>> {
  return call("GET", `cashier/movements?limit=10&${queryOf(before, wanted)}`);
}

/** Pay in or out. The same id moves money once, however often it is sent. */
export function pay(way: "deposit" | "withdraw", payment: Payment): Promise<Reply<Balance>> {
  return call("POST", `cashier/${way}`, payment);
}

// Video

/** The video of a live table, by its name after `live/`, with a token of three minutes (STU-23). */
export function tableVideo(table: string): Promise<Reply<VideoAccess>> {
  return call("GET", `tables/${encodeURIComponent(table)}/video`);
}
