"""The p-value of a chi-square: the upper regularised incomplete gamma function.

>>> round(chi_square_p(3.841459, 1), 6), round(chi_square_p(87.968, 51), 6)
(0.05, 0.001)
"""

from __future__ import annotations

from math import exp, lgamma, log

_PRECISION = 1e-15
_TINY = 1e-300


def chi_square_p(chi_square: float, freedom: int) -> float:
    """The p-value of a chi-square with its degrees of freedom."""
    if freedom < 1 or chi_square < 0:
        raise ValueError(f"a chi-square of {chi_square} with {freedom} degrees of freedom cannot be")
    a, x = freedom / 2, chi_square / 2
    if x == 0:
        return 1.0
    front = exp(a * log(x) - x - lgamma(a))
    return 1 - front * _series(a, x) if x < a + 1 else front * _continued_fraction(a, x)


def _series(a: float, x: float) -> float:
    """The lower function over its front factor: 1/a + x/(a(a+1)) + …, for x below a + 1."""
    term = total = 1 / a
    while term > total * _PRECISION:
        a += 1
        term *= x / a
        total += term
    return total


def _continued_fraction(a: float, x: float) -> float:
    """The upper function over its front factor, from x = a + 1 on, by Lentz's method."""
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    value, step, n = d, 0.0, 0
    while abs(step - 1) > _PRECISION:
        n += 1
        term = -n * (n - a)
        b += 2
        d = 1 / _nonzero(term * d + b)
        c = _nonzero(b + term / c)
        step = d * c
        value *= step
    return value


def _nonzero(number: float) -> float:
    return number if abs(number) > _TINY else _TINY
