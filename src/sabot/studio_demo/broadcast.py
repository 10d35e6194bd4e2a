"""One quality of a table's video: drawn and encoded once, in a thread, for all who watch by WHEP or HLS."""

from __future__ import annotations

import asyncio
import time
from fractions import Fraction
from pathlib import Path
from threading import Event, Thread

import av
from av.audio.codeccontext import AudioCodecContext
from av.container import OutputContainer
from av.video.frame import PictureType
from av.video.stream import VideoStream as EncodedVideo

from sabot.studio_demo.picture import Picture, Size
from sabot.studio_demo.tracks import Encoded, ViewerTracks
from sabot.studio_demo.voice import SAMPLE_RATE, samples, voice

FRAMES = 25
#: Seconds that it goes on when nobody watches any more.
PATIENCE = 15.0
PLAYLIST = "index.m3u8"

_VIDEO_CLOCK = 90_000
#: Samples of a packet of Opus: 20 ms.
_OPUS = SAMPLE_RATE // 50
#: H.264 as WebRTC takes it: no B-frames, a whole picture every second, its parameters before each.
_H264 = {
    "preset": "ultrafast",
    "tune": "zerolatency",
    "profile": "baseline",
    "level": "31",
    "forced-idr": "1",
    "x264-params": f"keyint={FRAMES}:min-keyint={FRAMES}:scenecut=0:repeat-headers=1",
}
_HLS = {
    "hls_time": "1",
    "hls_list_size": "6",
    "hls_flags": "program_date_time+delete_segments+independent_segments+omit_endlist",
}


class Scene:
    """What the camera of a table sees: the cards that lie there."""

    def __init__(self) -> None:
        self.cards: tuple[str, ...] = ()


class Broadcast:
    """Encodes while somebody watches; packets go to the viewers' tracks, segments into a folder."""

    def __init__(self, scene: Scene, size: Size, folder: Path) -> None:
        self._scene = scene
        self._size = size
        self.folder = folder
        self._viewers: list[ViewerTracks] = []
        self._wanted_at = 0.0
        self._thread: Thread | None = None
        self._stop = Event()
        #: Somebody has come and needs a whole picture.
        self._whole = Event()

    @property
    def running(self) -> bool:
        """Whether it is being encoded."""
        return self._thread is not None and self._thread.is_alive()

    def want(self) -> None:
        """Begin if it does not run yet; and go on for a while."""
        self._wanted_at = time.monotonic()
        if not self.running:
            self.folder.mkdir(parents=True, exist_ok=True)
            for old in self.folder.iterdir():
                old.unlink()
            self._stop = Event()
            self._thread = Thread(
                target=self._run, args=(asyncio.get_running_loop(), self._stop), daemon=True
            )
            self._thread.start()

    def add_viewer(self) -> ViewerTracks:
        """Tracks of a new viewer; they begin with a whole picture."""
        tracks = ViewerTracks(self._whole.set)
        self._viewers.append(tracks)
        self.want()
        return tracks

    def remove_viewer(self, tracks: ViewerTracks) -> None:
        """Forget a viewer."""
        if tracks in self._viewers:
            self._viewers.remove(tracks)

    async def playlist(self, seconds: float = 5.0) -> bytes | None:
        """The HLS playlist as soon as it is there; None if it does not come in time."""
        self.want()
        file = self.folder / PLAYLIST
        for _ in range(int(seconds / 0.05)):
            if file.is_file():
                return file.read_bytes()
            await asyncio.sleep(0.05)
        return None

    async def close(self) -> None:
        """End the thread."""
        self._stop.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join)

    # In the loop

    def _deliver(self, encoded: Encoded) -> None:
        for tracks in self._viewers:
            tracks.put(encoded)

    # In the thread

    def _run(self, loop: asyncio.AbstractEventLoop, stop: Event) -> None:
        def deliver(encoded: Encoded) -> None:
            if not stop.is_set():
                loop.call_soon_threadsafe(self._deliver, encoded)

        with av.open(str(self.folder / PLAYLIST), "w", format="hls", options=_HLS) as container:
            film = _Film(container, self._size, self._scene)
            container.start_encoding()
            start, frame = time.monotonic(), 0
            while not stop.wait(max(0.0, start + frame / FRAMES - time.monotonic())):
                whole = self._whole.is_set()
                self._whole.clear()
                for encoded in film.shoot(frame, whole):
                    deliver(encoded)
                frame = max(frame + 1, int((time.monotonic() - start) * FRAMES))
                if not self._viewers and time.monotonic() - self._wanted_at > PATIENCE:
                    break


class _Film:
    """The encoders of a broadcast."""

    def __init__(self, container: OutputContainer, size: Size, scene: Scene) -> None:
        self._container = container
        self._picture = Picture(size)
        self._scene = scene
        self._video = _video_stream(container, size)
        self._aac = container.add_stream("aac", rate=SAMPLE_RATE, layout="mono")
        self._opus = _opus_encoder()
        self._heard = 0
        voice()  # it takes a moment the first time

    def shoot(self, frame: int, whole: bool) -> list[Encoded]:
        """Draw and encode a frame, if need be a whole picture, and the sound up to its end; HLS gets both."""
        at = time.time()
        drawn = av.VideoFrame.from_ndarray(
            self._picture.draw(int(at * 1000), self._scene.cards), format="yuv420p"
        )
        drawn.pts, drawn.time_base = frame * (_VIDEO_CLOCK // FRAMES), Fraction(1, _VIDEO_CLOCK)
        if whole:
            drawn.pict_type = PictureType.I
        out = []
        for packet in self._video.encode(drawn):
            assert packet.pts is not None
            out.append(Encoded("video", bytes(packet), packet.pts, packet.time_base, packet.is_keyframe, at))
            self._container.mux(packet)
        while self._heard < (frame + 1) * SAMPLE_RATE // FRAMES:
            out += self._hear(at)
        return out

    def _hear(self, at: float) -> list[Encoded]:
        """Encode the next 20 ms of sound."""
        sound = samples(self._heard, _OPUS).reshape(1, -1)
        out = []
        for encoder in (self._opus, self._aac):
            part = av.AudioFrame.from_ndarray(sound, format="s16", layout="mono")
            part.sample_rate, part.pts, part.time_base = SAMPLE_RATE, self._heard, Fraction(1, SAMPLE_RATE)
            for packet in encoder.encode(part):
                if encoder is self._aac:
                    self._container.mux(packet)
                else:
                    assert packet.pts is not None
                    out.append(
                        Encoded("audio", bytes(packet), packet.pts, Fraction(1, SAMPLE_RATE), True, at)
                    )
        self._heard += _OPUS
        return out


def _video_stream(container: OutputContainer, size: Size) -> EncodedVideo:
    stream = container.add_stream("libx264", rate=FRAMES, options=_H264)
    stream.width, stream.height = size
    stream.pix_fmt = "yuv420p"
    stream.bit_rate = size.width * size.height
    stream.codec_context.time_base = Fraction(1, _VIDEO_CLOCK)
    stream.codec_context.thread_count = 1
    return stream


def _opus_encoder() -> AudioCodecContext:
    encoder = av.CodecContext.create("libopus", "w")
    assert isinstance(encoder, AudioCodecContext)
    encoder.sample_rate, encoder.layout, encoder.format = SAMPLE_RATE, "mono", "s16"
    encoder.bit_rate, encoder.time_base = 32_000, Fraction(1, SAMPLE_RATE)
    return encoder
