"""UnicodeScripts: splits where the script changes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER, Splitter
from tokenizer_reference.text.characters import script_9

if TYPE_CHECKING:
    from tokenizer_reference.text.normalized_string import NormalizedString

_JAPANESE: Final = {"Hiragana": "Han", "Katakana": "Han"}
_PROLONGED_SOUND_MARK: Final = "ー"


class _ScriptClasses(dict[str, str | None]):
    """Character -> the script it counts as, ``None`` for any; filled as characters are met."""

    def __missing__(self, char: str) -> str | None:
        self[char] = script = _script_class(char)
        return script


def _script_class(char: str) -> str | None:
    if char == _PROLONGED_SOUND_MARK:
        return "Han"
    script = script_9(char)
    return None if char == " " or script == "Unknown" else _JAPANESE.get(script, script)


_SCRIPT_CLASSES: Final = _ScriptClasses()


@PRE_TOKENIZER.component()
class UnicodeScripts(Splitter):
    """Splits where the script changes (Unicode 9.0; Hiragana, Katakana and Han count as one).

    Spaces and characters without a script go with those before them. The first piece starts at the first character that
    has a script: what is before it is lost (observed, tokenizers 0.23.3).

    >>> UnicodeScripts().pre_tokenize_str("  hello 京")
    [('hello ', (2, 8)), ('京', (8, 9))]
    """

    def _split(self, text: NormalizedString) -> list[NormalizedString]:
        cuts: list[int] = []
        last: str | None = None
        for index, char in enumerate(text.normalized):
            script = _SCRIPT_CLASSES[char]
            if script != last and script is not None:
                cuts.append(index)
                last = script
        return text.cut(pairwise([*cuts, len(text.normalized)]))
