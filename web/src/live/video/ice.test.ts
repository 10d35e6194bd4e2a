import { afterEach, describe, expect, it, vi } from "vitest";
import { askForServers, iceServers } from "./ice";

const STUN = '<stun:stun.example.net>; rel="ice-server"';
const TURN = '<turn:turn.example.net?transport=udp>; rel="ice-server"; username="user"; credential="a, \\"b\\""; credential-type="password"';

describe("the servers that a media server names (STU-20)", () => {
  afterEach(() => vi.unstubAllGlobals());

  it("are those of the links, in their order, with what opens them", () => {
    expect(iceServers(`${STUN}, ${TURN}`)).toEqual([
      { urls: "stun:stun.example.net" },
      { urls: "turn:turn.example.net?transport=udp", username: "user", credential: 'a, "b"' },
    ]);
    expect(iceServers("<stuns:one>;rel=ice-server,<turns:two>; REL=\"other ice-server\"")).toEqual([{ urls: "stuns:one" }, { urls: "turns:two" }]);
  });

  it("are no other links, and no other addresses", () => {
    for (const header of [null, "", "nonsense", '<stun:one>; rel="next"', '<https://example.net>; rel="ice-server"', '<stun:one>']) expect(iceServers(header)).toEqual([]);
  });

  it("are asked for with the token, and not there where nobody answers", async () => {
    const asked = vi.fn<typeof fetch>(() => Promise.resolve(new Response(null, { status: 204, headers: { Link: STUN } })));
    vi.stubGlobal("fetch", asked);
    const { signal } = new AbortController();
    expect(await askForServers("https://video.example/one", "ey", signal)).toEqual([{ urls: "stun:stun.example.net" }]);
    expect(asked.mock.calls[0]?.[1]).toMatchObject({ method: "OPTIONS", headers: { Authorization: "Bearer ey" } });
    asked.mockImplementation(() => Promise.resolve(new Response(null, { status: 404, headers: { Link: STUN } })));
    expect(await askForServers("https://video.example/one", "ey", signal)).toEqual([]);
    asked.mockImplementation(() => Promise.reject(new TypeError("no network")));
    expect(await askForServers("https://video.example/one", "ey", signal)).toEqual([]);
  });
});
