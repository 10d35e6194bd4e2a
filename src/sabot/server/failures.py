"""What the log says of an error that nobody foresaw: its kind and its places, not its message, which may hold a secret."""

from __future__ import annotations

import traceback
from pathlib import Path

#: Places of the code that a log line names.
_FRAMES = 6


def where(error: BaseException) -> list[str]:
    """The innermost places of the code that an error went through."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    return [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
