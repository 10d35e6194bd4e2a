/** Video by WebRTC: an offer is posted with the token, the answer says where the session is ended (WHEP). */

import { capturedAt, fromNtp, type Ages } from "./delay";
import { askForServers } from "./ice";
import { firstPicture, FIRST_PICTURE, newElement, type Player } from "./player";

/** When each picture was captured, by the sender's clock: Chromium asks for it only if it is told to. */
const CAPTURE_TIME = "http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time";
/** How long own addresses are gathered for: a media server needs few of them, or none. */
const GATHERING = 500;

interface HeaderExtension {
  readonly uri: string;
  direction: RTCRtpTransceiverDirection;
}

/** What is newer than the types of the DOM. */
interface Negotiating extends RTCRtpTransceiver {
  getHeaderExtensionsToNegotiate?(): HeaderExtension[];
  setHeaderExtensionsToNegotiate?(extensions: readonly HeaderExtension[]): void;
}
interface Source extends RTCRtpSynchronizationSource {
  readonly captureTimestamp?: number;
}
interface Inbound extends RTCInboundRtpStreamStats {
  readonly totalFreezesDuration?: number;
  readonly estimatedPlayoutTimestamp?: number;
}

function askForCaptureTimes(transceiver: Negotiating): void {
  const extensions = transceiver.getHeaderExtensionsToNegotiate?.();
  if (!extensions) return;
  for (const extension of extensions) if (extension.uri === CAPTURE_TIME) extension.direction = "sendrecv";
  transceiver.setHeaderExtensionsToNegotiate?.(extensions);
}

function gathered(peer: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, GATHERING);
    const look = () => {
      if (peer.iceGatheringState === "complete") resolve();
    };
    peer.addEventListener("icegatheringstatechange", look);
    look();
  });
}

/** A session of a media server: posted, answered, deleted. */
class Session {
  readonly #token: string;
  #place: string | null = null;
  #closed = false;

  constructor(token: string) {
    this.#token = token;
  }

  get #headers(): Record<string, string> {
    return { Authorization: `Bearer ${this.#token}` };
  }

  async begin(address: string, offer: string, signal: AbortSignal): Promise<string> {
    const response = await fetch(address, {
      method: "POST",
      headers: { ...this.#headers, "Content-Type": "application/sdp" },
      body: offer,
      signal: AbortSignal.any([signal, AbortSignal.timeout(FIRST_PICTURE)]),
    });
    if (response.status !== 201) throw new Error(`the media server answered ${response.status}`);
    const place = response.headers.get("Location");
    this.#place = place && new URL(place, response.url).href;
    if (this.#closed) this.end();
    return response.text();
  }

  /** End it, also while the page is left. */
  end(): void {
    this.#closed = true;
    if (!this.#place) return;
    void fetch(this.#place, { method: "DELETE", headers: this.#headers, keepalive: true }).catch(() => undefined);
    this.#place = null;
  }
}

export async function openWhep(address: string, token: string, signal: AbortSignal): Promise<Player> {
  const player = new WhepPlayer(token, await askForServers(address, token, signal));
  try {
    await player.begin(address, signal);
    return player;
  } catch (error) {
    player.close();
    throw error;
  }
}

class WhepPlayer implements Player {
  readonly kind = "whep";
  readonly element = newElement();
  readonly over: Promise<void>;
  readonly #peer: RTCPeerConnection;
  readonly #session: Session;
  readonly #video: RTCRtpTransceiver;
  readonly #audio: RTCRtpTransceiver;
  /** What is known of the picture on the screen. */
  #shown: VideoFrameCallbackMetadata | null = null;
  #closed = false;

  constructor(token: string, iceServers: RTCIceServer[]) {
    this.#session = new Session(token);
    this.#peer = new RTCPeerConnection({ iceServers });
    this.#video = this.#peer.addTransceiver("video", { direction: "recvonly" });
    this.#audio = this.#peer.addTransceiver("audio", { direction: "recvonly" });
    askForCaptureTimes(this.#video);
    this.over = new Promise((resolve) => {
      this.#peer.addEventListener("connectionstatechange", () => {
        if (["failed", "closed"].includes(this.#peer.connectionState)) resolve();
      });
    });
    this.element.srcObject = new MediaStream([this.#video.receiver.track, this.#audio.receiver.track]);
    this.#look();
  }

  async begin(address: string, signal: AbortSignal): Promise<void> {
    await this.#peer.setLocalDescription();
    await gathered(this.#peer);
    const sdp = await this.#session.begin(address, this.#peer.localDescription?.sdp ?? "", signal);
    await this.#peer.setRemoteDescription({ type: "answer", sdp });
    void this.element.play().catch(() => undefined);
    await firstPicture(this.element, this.over, signal);
  }

  get voice(): boolean {
    return this.#audio.currentDirection === "recvonly";
  }

  async ages(houseNow: () => number): Promise<Ages> {
    const shown = this.#shown;
    if (!shown) return { captured: null, played: null, travelled: null };
    const displayed = houseNow() + shown.expectedDisplayTime - performance.now();
    const [newest] = this.#video.receiver.getSynchronizationSources() as Source[];
    const { captureTimestamp, rtpTimestamp } = newest ?? {};
    const captured =
      captureTimestamp === undefined || rtpTimestamp === undefined
        ? null
        : displayed - capturedAt({ captureTimestamp, rtpTimestamp }, shown.rtpTimestamp ?? rtpTimestamp);
    if (captured !== null) return { captured, played: null, travelled: null };
    const { inbound, pair } = await this.#stats();
    const played = inbound?.estimatedPlayoutTimestamp;
    const travel = pair?.currentRoundTripTime;
    return {
      captured,
      played: played === undefined ? null : houseNow() - fromNtp(played),
      travelled: travel === undefined ? null : 500 * travel + shown.expectedDisplayTime - (shown.receiveTime ?? shown.expectedDisplayTime),
    };
  }

  async counts() {
    const { inbound } = await this.#stats();
    return {
      frozen: inbound?.totalFreezesDuration ?? 0,
      lost: inbound?.packetsLost ?? 0,
      received: inbound?.packetsReceived ?? 0,
      progress: inbound?.bytesReceived ?? 0,
    };
  }

  /** The token was looked at when the session began. */
  renew(): void {}

  close(): void {
    this.#closed = true;
    this.#session.end();
    this.#peer.close();
    this.element.srcObject = null;
    this.element.remove();
  }

  /** Follow the pictures that are shown, where the browser tells of them. */
  #look(): void {
    if (this.#closed || !("requestVideoFrameCallback" in this.element)) return;
    this.element.requestVideoFrameCallback((_, shown) => {
      this.#shown = shown;
      this.#look();
    });
  }

  async #stats(): Promise<{ inbound: Inbound | null; pair: RTCIceCandidatePairStats | null }> {
    let inbound: Inbound | null = null;
    let pair: RTCIceCandidatePairStats | null = null;
    (await this.#peer.getStats()).forEach((stats: RTCStats & { kind?: string; nominated?: boolean }) => {
      if (stats.type === "inbound-rtp" && stats.kind === "video") inbound = stats as Inbound;
      if (stats.type === "candidate-pair" && stats.nominated) pair = stats as RTCIceCandidatePairStats;
    });
    return { inbound, pair };
  }
}
