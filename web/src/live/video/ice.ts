/** The STUN and TURN servers that a media server names in the `Link` headers of its answers (RFC 9725, `rel="ice-server"`). */

/** Milliseconds that are waited for them: without any, a connection may still come about. */
const PATIENCE = 2000;
const LINK = /<([^>]*)>((?:\s*;\s*[\w-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^;,\s"]+))*)/g;
const PARAMETER = /;\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;,\s"]+))/g;
const SERVER = /^(stun|turn)s?:/i;

export function iceServers(header: string | null): RTCIceServer[] {
  return [...(header ?? "").matchAll(LINK)].flatMap(([, urls = "", rest = ""]) => {
    const about = new Map([...rest.matchAll(PARAMETER)].map(([, name = "", quoted, bare = ""]) => [name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? bare]));
    if (!about.get("rel")?.toLowerCase().split(" ").includes("ice-server") || !SERVER.test(urls)) return [];
    const [username, credential] = [about.get("username"), about.get("credential")];
    return [username === undefined || credential === undefined ? { urls } : { urls, username, credential }];
  });
}

/** Ask for them before the offer, which has what they find; a server that does not answer has none. */
export async function askForServers(address: string, token: string, signal: AbortSignal): Promise<RTCIceServer[]> {
  try {
    const headers = { Authorization: `Bearer ${token}` };
    const response = await fetch(address, { method: "OPTIONS", headers, signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]) });
    return response.ok ? iceServers(response.headers.get("Link")) : [];
  } catch {
    return [];
  }
}
