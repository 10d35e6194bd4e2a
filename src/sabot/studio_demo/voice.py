"""The presenter's voice: a generated sound with the pitch, syllables and pauses of speech."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 48_000
#: Seconds after which it begins again.
_SECONDS = 10
#: Pitch in Hz, syllables a second, and the formants of an "a".
_PITCH, _SYLLABLES, _FORMANTS = 118, 4, (700, 1_220, 2_600)


@cache
def voice() -> NDArray[np.int16]:
    """Ten seconds of it: three of talk and two of silence, twice.

    >>> sound = voice()
    >>> int(abs(sound[:SAMPLE_RATE]).max()) > 5_000, int(abs(sound[4 * SAMPLE_RATE : 5 * SAMPLE_RATE]).max())
    (True, 0)
    """
    time = np.arange(_SECONDS * SAMPLE_RATE) / SAMPLE_RATE
    sound = np.zeros_like(time)
    sway = 0.4 * np.sin(2 * np.pi * 1.2 * time)
    for harmonic in range(1, 30):
        strength = sum(1 / (1 + ((harmonic * _PITCH - formant) / 120) ** 2) for formant in _FORMANTS)
        sound += strength * np.sin(harmonic * (2 * np.pi * _PITCH * time + sway))
    sound *= np.sin(np.pi * _SYLLABLES * time) ** 2 * (time % 5 < 3)
    loud: NDArray[np.int16] = (sound / abs(sound).max() * 9_000).astype(np.int16)
    return loud


def samples(first: int, count: int) -> NDArray[np.int16]:
    """Samples of the voice that never ends.

    >>> len(samples(10 * SAMPLE_RATE - 100, 960)), bool((samples(0, 50) == samples(10 * SAMPLE_RATE, 50)).all())
    (960, True)
    """
    sound = voice()
    return np.take(sound, np.arange(first, first + count), mode="wrap")
