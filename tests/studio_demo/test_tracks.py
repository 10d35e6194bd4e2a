"""The time of capture in the packets that viewers get, and tracks that begin with a whole picture (STU-24, STU-25)."""

from __future__ import annotations

import asyncio
from fractions import Fraction

import pytest
from aiortc import rtp
from aiortc.rtcrtpparameters import RTCRtpHeaderExtensionParameters, RTCRtpParameters

from sabot.studio_demo.tracks import ABS_CAPTURE_TIME, CaptureTimes, Encoded, PacketTrack

#: Half a second after 1970, in NTP: 2,208,988,800 seconds after 1900, and half of 2**32.
AT, AT_NTP = 0.5, bytes.fromhex("83aa7e8080000000")
MID = RTCRtpHeaderExtensionParameters(id=1, uri="urn:ietf:params:rtp-hdrext:sdes:mid")
CAPTURE = RTCRtpHeaderExtensionParameters(id=4, uri=ABS_CAPTURE_TIME)


def written(packet: rtp.RtpPacket, times: CaptureTimes) -> dict[int, bytes]:
    """The header extensions of a packet as it is sent, by their ids (RFC 8285)."""
    data = packet.serialize(times)
    length = 4 * int.from_bytes(data[14:16])
    return dict(rtp.unpack_header_extensions(int.from_bytes(data[12:14]), data[16 : 16 + length]))


@pytest.mark.rule("STU-24", "STU-25")
def test_a_packet_says_when_its_picture_was_taken_also_when_it_is_sent_again() -> None:
    track = PacketTrack("video", lambda: None)
    times = CaptureTimes(track)
    times.configure(RTCRtpParameters(headerExtensions=[MID, CAPTURE]))
    packet = rtp.RtpPacket(payload_type=99)
    packet.extensions.mid = "0"
    track.captured_at = AT
    assert written(packet, times) == {1: b"0", 4: AT_NTP}
    track.captured_at = AT + 60
    assert written(packet, times) == {1: b"0", 4: AT_NTP}
    assert written(rtp.RtpPacket(payload_type=99), times)[4] != AT_NTP


def test_nothing_is_written_for_who_did_not_ask_for_it() -> None:
    times = CaptureTimes(PacketTrack("video", lambda: None))
    times.configure(RTCRtpParameters(headerExtensions=[MID]))
    packet = rtp.RtpPacket(payload_type=99)
    packet.extensions.mid = "0"
    assert written(packet, times) == {1: b"0"}


@pytest.mark.rule("STU-25")
async def test_a_viewer_begins_with_a_whole_picture_and_gets_nothing_old() -> None:
    wanted: list[bool] = []
    track = PacketTrack("video", lambda: wanted.append(True))

    def put(number: int, whole: bool) -> None:
        track.put(Encoded("video", bytes([number]), number, Fraction(1, 90_000), whole, float(number)))

    put(1, True)  # nobody looks yet
    first = asyncio.create_task(track.recv())
    while not wanted:
        await asyncio.sleep(0)
    put(2, False)
    put(3, True)
    put(4, False)
    packets = [await first, await track.recv()]
    assert [(bytes(packet), packet.pts) for packet in packets] == [(b"\x03", 3), (b"\x04", 4)]
    assert track.captured_at == 4.0
