"""What llama.cpp does with the tokenizer of a GGUF file: what the file says, else its defaults.

The defaults are those of ``llama_vocab::impl::load`` in ``src/llama-vocab.cpp`` (llama.cpp of October 2026).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokenizer_adapters.gguf.metadata import GgufError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.gguf.vocabulary import GgufVocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a text is prepared, and what is put around it.

    ``bos``, ``eos``, ``sep`` and ``unknown`` are ids, ``None`` where there is no such token. ``always_added`` says that
    ``bos`` and ``sep`` are put around a text whatever ``add_bos`` and ``add_eos`` say (``bert``).
    """

    bos: int | None = None
    eos: int | None = None
    sep: int | None = None
    unknown: int | None = None
    add_bos: bool = False
    add_eos: bool = False
    always_added: bool = False
    add_space_prefix: bool = False
    remove_extra_whitespaces: bool = False
    ignore_merges: bool = False
    lowercase: bool = True
    strip_accents: bool = True

    @property
    def before(self) -> tuple[int, ...]:
        """The ids that are put before a text."""
        return () if self.bos is None or not (self.add_bos or self.always_added) else (self.bos,)

    @property
    def after(self) -> tuple[int, ...]:
        """The ids that are put after a text."""
        last, added = (self.sep, True) if self.always_added else (self.eos, self.add_eos)
        return () if last is None or not added else (last,)


MODELS: Mapping[str, Settings] = {
    "llama": Settings(bos=1, eos=2, unknown=0, add_bos=True, add_space_prefix=True),
    "bert": Settings(bos=101, sep=102, unknown=100, always_added=True),
    "gpt2": Settings(bos=11, eos=11),
    "t5": Settings(eos=1, unknown=2, add_eos=True),
}
"""The defaults of each model that is known here."""

LLAMA_3 = ("llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano")
IGNORING_MERGES = frozenset({*LLAMA_3, "tekken", "youtu", "minicpm5", "granite-embed-multi-97m"})
ADDING_BOS = frozenset({*LLAMA_3, "tekken", "chameleon"})
WITHOUT_BOS = frozenset({"glm4", "chatglm-bpe"})
"""Pre-tokenizers whose names change a default."""


def settings_of(vocabulary: GgufVocabulary) -> Settings:
    """Return what llama.cpp does with ``vocabulary``. Raises :class:`GgufError` for a model that is not known here."""
    if vocabulary.model not in MODELS:
        raise GgufError(
            f"its tokenizer is of the kind {vocabulary.model!r}, and {', '.join(map(repr, sorted(MODELS)))} are known"
        )
    base = MODELS[vocabulary.model]
    if vocabulary.model == "gpt2":
        pre = vocabulary.pre or ""
        base = replace(
            base,
            bos=None if pre in WITHOUT_BOS else base.bos,
            add_bos=pre in ADDING_BOS,
            ignore_merges=pre in IGNORING_MERGES,
        )
    flags = vocabulary.flags
    lowercase = flags.get("normalizer.lowercase", base.lowercase)
    return replace(
        base,
        bos=_id(vocabulary, "bos", base.bos),
        eos=_id(vocabulary, "eos", base.eos),
        sep=_id(vocabulary, "seperator", base.sep),  # the key has this spelling
        unknown=_id(vocabulary, "unknown", base.unknown),
        add_bos=flags.get("add_bos_token", base.add_bos),
        add_eos=flags.get("add_eos_token", base.add_eos),
        add_space_prefix=flags.get("add_space_prefix", base.add_space_prefix),
        remove_extra_whitespaces=flags.get("remove_extra_whitespaces", base.remove_extra_whitespaces),
        lowercase=lowercase,
        strip_accents=flags.get("normalizer.strip_accents", lowercase),
    )


def _id(vocabulary: GgufVocabulary, key: str, default: int | None) -> int | None:
    """Return the id that the file gives; one that no token has is passed over, as llama.cpp does with a warning."""
    found = vocabulary.special_ids.get(key)
    return default if found is None or not 0 <= found < len(vocabulary.tokens) else found


def left_stripped(vocabulary: GgufVocabulary) -> frozenset[str]:
    """Return the special tokens before which llama.cpp takes white space away, which it tells by names."""
    if any(name in (vocabulary.pre or "") for name in ("jina-v2-de", "jina-v2-es", "jina-v2-code")):
        return frozenset({"<mask>"})
    if any(name in vocabulary.architecture for name in ("nomic-bert-moe", "jina-bert-v3")):
        return frozenset({"<mask>"})
    return frozenset({"[MASK]"} if "modern-bert" in vocabulary.name.lower() else ())


def right_stripped(vocabulary: GgufVocabulary) -> bool:
    """Return whether llama.cpp takes white space away after special tokens: it does by the name of the model."""
    return any(name in vocabulary.name.lower() for name in ("phi-3", "phi3"))
