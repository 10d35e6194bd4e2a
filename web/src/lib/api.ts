/** The house's HTTP interface, as far as the page uses it. The session is a cookie that scripts cannot read. */

import type { Failure } from "../wire";

/** Who is logged in. */
export interface Account {
  readonly name: string;
  readonly demo: boolean;
  /** The play session's clock (ASR-42). */
  readonly session: { readonly began_at: number };
}

/** What was asked for, or why not. */
export type Reply<T> = { readonly value: T } | { readonly failure: Failure };

async function call<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<Reply<T>> {
  try {
    const response = await fetch(`/api/v1/${path}`, {
      method,
      credentials: "same-origin",
      ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
    const told: unknown = response.status === 204 ? null : await response.json();
    if (response.ok) return { value: told as T };
    return { failure: (told as { error: Failure }).error };
  } catch {
    return { failure: { code: "house/unreachable", params: {} } };
  }
}

/** The account of the running session. */
export function whoAmI(): Promise<Reply<Account>> {
  return call("GET", "me");
}

/** Come in as a new demo player with play money. */
export function demo(): Promise<Reply<Account>> {
  return enter("demo", {});
}

export function logIn(name: string, password: string): Promise<Reply<Account>> {
  return enter("login", { name, password });
}

async function enter(path: string, body: unknown): Promise<Reply<Account>> {
  const reply = await call<unknown>("POST", path, body);
  return "failure" in reply ? reply : whoAmI();
}

export function logOut(): Promise<Reply<null>> {
  return call("POST", "logout");
}
