"""Precompiled: the normalization of a SentencePiece model."""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from tokenizer_reference.arguments import octets
from tokenizer_reference.errors import CharsmapError, TokenizerFileError, UpstreamFilePanicError
from tokenizer_reference.normalizers.base import NORMALIZER, Normalizer
from tokenizer_reference.normalizers.locality import Locality
from tokenizer_reference.stage import Form
from tokenizer_reference.text.character_pattern import CharacterPattern
from tokenizer_reference.text.charsmap import Charsmap
from tokenizer_reference.text.graphemes import clusters, is_separate, joined_spans
from tokenizer_reference.text.normalized_string import origins_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tokenizer_reference.json_text.value import JsonValue
    from tokenizer_reference.text.normalized_string import Change, NormalizedString, Origins, Region

_LONGEST_LOOKUP: Final = 5
"""A grapheme cluster of more bytes is not looked up as a whole."""

_LONGEST_CACHED: Final = 8
_CACHED_REPLACEMENTS: Final = 10_000


@NORMALIZER.component(Form(("type", "precompiled_charsmap")))
class Precompiled(Normalizer):
    r"""Replaces grapheme clusters and characters by a SentencePiece model's precompiled character map.

    A cluster of up to 5 UTF-8 bytes that starts with a key of the map is replaced as a whole, whatever follows the key
    in it; of any other cluster, each character that starts with a key. The shortest key counts.

    Observed, tokenizers 0.23.3. Raises :class:`CharsmapError` for data that is no such map.
    """

    def __init__(self, precompiled_charsmap: Sequence[int]) -> None:
        self._data = octets("precompiled_charsmap", precompiled_charsmap)
        self._charsmap = Charsmap(self._data)
        self._replacements: dict[tuple[str, bool], _Replacement] = {}
        self._alone = _Alone(self._charsmap)

    def _normalize(self, normalized: NormalizedString) -> None:
        regions = self._regions(normalized.normalized) if normalized.is_regular else None
        if regions is not None:
            normalized.rewrite(regions)
            return
        changes = self._changes(clusters(normalized.normalized))
        if changes is not None:
            normalized.transform(changes)

    # The definition --------------------------------------------------------------------------------------------------

    def _changes(self, cut_text: Iterable[str], before: Sequence[Change] = ()) -> list[Change] | None:
        """Return the changes of a text that is cut into grapheme clusters, after those of the text ``before`` it.

        ``None`` where the map has nothing for it.
        """
        changes = list(before)
        is_changed = False
        for cluster in cut_text:
            for old, new in self._lookups(cluster):
                if new is None:
                    changes.append((old, 0))
                else:
                    is_changed = True
                    _add_replacement(changes, old, new)
        return changes if is_changed else None

    def _lookups(self, cluster: str) -> list[tuple[str, str | None]]:
        """Return the parts of ``cluster`` that are looked up, each with its replacement."""
        if len(cluster) == 1:
            return [(cluster, self._alone[cluster])]
        if len(cluster.encode()) <= _LONGEST_LOOKUP:
            whole = self._charsmap.replacement(cluster)
            if whole is not None:
                return [(cluster, whole)]
        return [(char, self._alone[char]) for char in cluster]

    # The same, only where it matters ---------------------------------------------------------------------------------

    @cached_property
    def _changing(self) -> CharacterPattern:
        """Runs of characters that have a replacement when alone. Others change in a larger cluster only."""
        return CharacterPattern("[{changing}]+", changing=self._charsmap.changing_characters)

    def _regions(self, text: str) -> list[Region] | None:
        """Return what changes; ``None`` where a removal disturbs the alignment of the text around it.

        A removal is put on the change before it. That moves the alignment if there is none, or if that is an insertion.
        """
        regions: list[Region] = []
        done = 0
        previous: int | None = None  # what the last change does
        for start, end, is_joined in self._candidates(text):
            replacement = self._replacement(text[start:end], is_joined)
            if start > done:
                previous = 0
            if replacement.starts_with_removal and (previous is None or previous > 0):
                return None
            if replacement.last is not None:
                previous = replacement.last
            if replacement.text is not None:
                regions.append((start, end, replacement.text, replacement.origins))
            done = end
        return regions

    def _candidates(self, text: str) -> Iterator[tuple[int, int, bool]]:
        """Give the clusters of two or more characters, and between them the runs of characters that change alone."""
        changing = self._changing.for_text(text)
        done = 0
        for start, end in joined_spans(text):
            yield from ((*match.span(), False) for match in changing.finditer(text, done, start))
            yield start, end, True
            done = end
        yield from ((*match.span(), False) for match in changing.finditer(text, done))

    def _replacement(self, text: str, is_cluster: bool) -> _Replacement:
        """Return what becomes of one cluster, or of a run of characters that are clusters of their own."""
        known = self._replacements.get((text, is_cluster))
        if known is None:
            known = self._new_replacement([text] if is_cluster else text)
            if len(text) <= _LONGEST_CACHED:
                if len(self._replacements) >= _CACHED_REPLACEMENTS:
                    self._replacements.clear()
                self._replacements[text, is_cluster] = known
        return known

    def _new_replacement(self, cut_text: Sequence[str]) -> _Replacement:
        # A character before, for a removal at the start to be put on.
        changes = self._changes(cut_text, before=[("x", 0)])
        if changes is None:
            return _Replacement(None, (), starts_with_removal=False, last=0)
        text, origins = origins_of(changes)
        return _Replacement(
            text[1:],
            tuple([origin - 1 for origin in origins[1:]]),
            starts_with_removal=self._lookups(cut_text[0])[0][1] == "",
            last=changes[-1][1] if text[1:] else None,
        )

    def _locality(self) -> Locality:
        return Locality(self._of_alone)

    def _of_alone(self, char: str) -> str | None:
        if not is_separate(char):
            return None
        replacement = self._charsmap.replacement(char)
        # A removal is put on the change before it, and can move the alignment of all that follows.
        return char if replacement is None else replacement or None

    # JSON ------------------------------------------------------------------------------------------------------------

    def _to_json(self) -> dict[str, Any]:
        return {"type": "Precompiled", "precompiled_charsmap": b64encode(self._data).decode()}

    @classmethod
    def _from_json(cls, value: JsonValue) -> Self:
        """Read the map.

        Raises :class:`UpstreamFilePanicError`: in this component, the target panics at what it cannot read.
        """
        try:
            charsmap = value["precompiled_charsmap"]
            return cls(_decoded(charsmap.string()))
        except TokenizerFileError as error:
            raise UpstreamFilePanicError(error.path, error.message) from error
        except ValueError as error:
            raise UpstreamFilePanicError(charsmap.path, str(error)) from error


class _Alone(dict[str, str | None]):
    """Character -> its replacement, looked up in ``charsmap`` when it is first met: a run of one may be long."""

    def __init__(self, charsmap: Charsmap) -> None:
        super().__init__()
        self._charsmap = charsmap

    def __missing__(self, char: str) -> str | None:
        replacement = self[char] = self._charsmap.replacement(char)
        return replacement


class _Replacement(NamedTuple):
    """What becomes of a part of the text: ``text`` is ``None`` where nothing does.

    ``last`` is the number of the last change (``None`` if the part is removed and leaves no change).
    """

    text: str | None
    origins: Origins
    starts_with_removal: bool
    last: int | None


def _add_replacement(changes: list[Change], old: str, new: str) -> None:
    """Add the changes that put ``new`` in the place of ``old``.

    The characters replace one another; surplus new ones are insertions at the end; missing ones are removals that go
    onto the change before, if there is any.

    >>> changes = [("x", 0)]
    >>> _add_replacement(changes, "①", "(1)")
    >>> _add_replacement(changes, "ab", "")
    >>> changes
    [('x', 0), ('(', 0), ('1', 1), (')', -1)]
    """
    kept = min(len(old), len(new))
    changes += [(char, int(index >= kept)) for index, char in enumerate(new)]
    if len(old) > len(new) and changes:
        char, change = changes[-1]
        changes[-1] = (char, change - (len(old) - len(new)))


def _decoded(text: str) -> bytes:
    """Return the bytes that ``text`` holds in base64, written as an encoder writes it; padding may be missing."""
    symbols = text.rstrip("=")
    padding = "=" * (-len(symbols) % 4)
    try:
        data = b64decode(symbols + padding, validate=True)
    except (Base64Error, ValueError) as error:
        raise CharsmapError(f"expected the precompiled charsmap in base64: {error}") from error
    if b64encode(data).decode() != symbols + padding or len(text) > len(symbols + padding):
        raise CharsmapError("expected the precompiled charsmap in base64, found bits or padding beyond its last byte")
    return data
