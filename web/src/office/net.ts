/** The back office's part of the house's HTTP interface. */

import { call, type Reply, type SentFile } from "../net/api";
import { gate } from "./gate.svelte";
import { withQuery } from "./query";

/** What is asked for in a list: filters, order, where it goes on. */
type Query = Parameters<typeof withQuery>[1];

/** Ask; an operator who has to prove something does that first, and then it is asked again (OFF-06). */
async function ask<T>(method: "GET" | "POST" | "PUT", path: string, body?: unknown): Promise<Reply<T>> {
  const reply = await call<T>(method, path, body);
  const needed = "failure" in reply ? gate.askedBy(reply.failure) : null;
  if (needed === null) return reply;
  return (await gate.passed(needed)) ? ask(method, path, body) : reply;
}

export function get<T>(path: string, query: Query = {}): Promise<Reply<T>> {
  return ask("GET", withQuery(path, query));
}

/** A text, such as the record of a round. */
export function text(path: string): Promise<Reply<string>> {
  return ask("GET", path);
}

/** A file, such as a report. */
export function file(path: string, query: Query): Promise<Reply<SentFile>> {
  return ask("GET", withQuery(path, query));
}

/** A route without a form takes no body: then none is given. */
export function post<T = null>(path: string, body?: object): Promise<Reply<T>> {
  return ask("POST", path, body);
}
