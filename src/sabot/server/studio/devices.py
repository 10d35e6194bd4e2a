"""Card-reading shoes: each has a token of the settings, and reads the cards of one table (STU-04)."""

from collections.abc import Iterable
from hmac import compare_digest
from typing import NamedTuple

from sabot.server.config import DeviceSection


class TableDevice(NamedTuple):
    """A card-reading shoe, and the table whose cards it reads."""

    table: str
    name: str

    def __str__(self) -> str:
        return f"{self.table}/{self.name}"


def find_device(devices: Iterable[DeviceSection], token: str) -> TableDevice | None:
    """The device of a token; how long it takes tells nothing of the tokens there are.

    >>> shoe = DeviceSection(name="shoe-1", table="evening", token="x" * 32)
    >>> str(find_device([shoe], "x" * 32)), find_device([shoe], "y" * 32)
    ('evening/shoe-1', None)
    """
    found, sent = None, token.encode("utf-8", "replace")
    for device in devices:
        if compare_digest(device.token.encode(), sent):
            found = TableDevice(device.table, device.name)
    return found
