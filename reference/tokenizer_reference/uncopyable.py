"""A base class for what the target can neither pickle nor copy."""

from __future__ import annotations

from typing import NoReturn, SupportsIndex


class Uncopyable:
    """Refuses to be pickled and copied, so that what works here works with ``tokenizers``, too."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> NoReturn:
        raise TypeError(f"cannot pickle {type(self).__name__!r} object")
