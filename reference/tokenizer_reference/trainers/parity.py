"""ParityBpeTrainer: merges that treat several languages alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from tokenizer_reference.arguments import (
    instance,
    items,
    number,
    one_of,
    optional,
    shown_type,
    string,
    strings,
    unsigned_64,
)
from tokenizer_reference.component import Component
from tokenizer_reference.errors import OptionError, TokenizerReferenceError
from tokenizer_reference.models.bpe import BPE
from tokenizer_reference.representation import decimal
from tokenizer_reference.trainers.base import OPTIONS, as_special_tokens
from tokenizer_reference.trainers.bpe import set_merges
from tokenizer_reference.trainers.corpus import IteratorTexts
from tokenizer_reference.trainers.merge_beginning import MergeOptions
from tokenizer_reference.trainers.parity_learning import ParityLearner, ParityOptions
from tokenizer_reference.trainers.progress import report_of, reported
from tokenizer_reference.trainers.training import TrainingMethods
from tokenizer_reference.trainers.word_counting import count_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tokenizer_reference.representation import Limits
    from tokenizer_reference.trainers.base import WordCounts
    from tokenizer_reference.trainers.progress import Report
    from tokenizer_reference.values.added_token import AddedToken

_STATE: tuple[str, ...] = (
    "num_merges",
    "variant",
    "min_frequency",
    "global_merges",
    "window_size",
    "alpha",
    "total_symbols",
    "show_progress",
    "ratio",
    "special_tokens",
    "limit_alphabet",
    "initial_alphabet",
    "continuing_subword_prefix",
    "end_of_word_suffix",
    "max_token_length",
)
_SHOWN = _STATE[:7]


class ParityBpeTrainer(Component):
    """Learns the merges and the vocabulary of a BPE model from several languages.

    :mod:`.parity_learning` has the rules.

    It is no :class:`Trainer`: it trains by its own method :meth:`train_from_iterator`. ``num_merges`` is how many
    merges are learned, ``ratio`` has a number above 0 for each language, by which its compression is divided; for the
    other options see :class:`BpeTrainer`.

    ``variant="window"`` (with ``window_size`` and ``alpha``) can be set, but not trained. Seen from outside, a language
    is passed over that was chosen more than ``alpha * window_size / languages`` times in the last ``window_size``
    merges. That explains the target only as long as one language is left: where all are passed over, the answer follows
    no rule that was found (15 of 59 random corpora, all with ``alpha=0.5``), and in some of these cases the target
    never ends.

    >>> from tokenizer_reference import Tokenizer, models, pre_tokenizers
    >>> tokenizer = Tokenizer(models.BPE())
    >>> tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    >>> trainer = ParityBpeTrainer(num_merges=3, show_progress=False)
    >>> trainer.train_from_iterator(tokenizer, [["ab ab abc cd"], ["xy xy zy"]], ratio=[1.0, 1.0])
    >>> list(tokenizer.get_vocab())
    ['a', 'b', 'c', 'd', 'x', 'y', 'z', 'ab', 'xy', 'cd']
    """

    _OPTIONS: ClassVar = {
        **{name: OPTIONS[name] for name in ("min_frequency", "show_progress", "special_tokens", "limit_alphabet")},
        **{name: OPTIONS[name] for name in ("continuing_subword_prefix", "end_of_word_suffix", "max_token_length")},
        "num_merges": unsigned_64,
        "global_merges": unsigned_64,
        "window_size": unsigned_64,
        "alpha": number,
        "total_symbols": OPTIONS["show_progress"],
        "initial_alphabet": lambda name, value: [_character(name, char) for char in strings(name, value)],
    }

    num_merges: int
    min_frequency: int
    global_merges: int
    window_size: int
    alpha: float
    total_symbols: bool
    show_progress: bool
    limit_alphabet: int | None
    continuing_subword_prefix: str | None
    end_of_word_suffix: str | None
    max_token_length: int | None

    def __init__(
        self,
        num_merges: int = 32000,
        variant: str = "base",
        min_frequency: int = 0,
        ratio: Sequence[float] | None = None,
        global_merges: int = 0,
        window_size: int = 100,
        alpha: float = 2.0,
        total_symbols: bool = False,
        special_tokens: list[str | AddedToken] | None = None,
        show_progress: bool = True,
        limit_alphabet: int | None = None,
        initial_alphabet: Sequence[str] | None = None,
        continuing_subword_prefix: str | None = None,
        end_of_word_suffix: str | None = None,
        max_token_length: int | None = None,
    ) -> None:
        self.num_merges = num_merges
        self._variant = one_of(("base", "window"))("variant", variant)
        self.min_frequency = min_frequency
        self._ratio = optional(_numbers)("ratio", ratio)
        self.global_merges = global_merges
        self.window_size = window_size
        self.alpha = alpha
        self.total_symbols = total_symbols
        self._special_tokens = as_special_tokens("special_tokens", [] if special_tokens is None else special_tokens)
        self.show_progress = show_progress
        self.limit_alphabet = limit_alphabet
        self.initial_alphabet = [] if initial_alphabet is None else list(items("initial_alphabet", initial_alphabet))
        self.continuing_subword_prefix = continuing_subword_prefix
        self.end_of_word_suffix = end_of_word_suffix
        self.max_token_length = max_token_length

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "variant" or not (name.startswith("_") or name in self._OPTIONS):
            raise AttributeError(f"{type(self).__name__}.{name} cannot be set; it has {', '.join(self._OPTIONS)}")
        super().__setattr__(name, value)

    @property
    def variant(self) -> str:
        """``base`` or ``window``."""
        return str(self._variant)

    @property
    def special_tokens(self) -> list[AddedToken]:
        """The tokens that come first in the vocabulary, and that training adds to the tokenizer; all are special."""
        return [token._copy() for token in self._special_tokens]

    @special_tokens.setter
    def special_tokens(self, tokens: list[AddedToken]) -> None:
        self._special_tokens = tokens

    @property
    def initial_alphabet(self) -> list[str]:
        """The characters that are in the alphabet though no corpus may have them."""
        return self._initial_alphabet.copy()

    @initial_alphabet.setter
    def initial_alphabet(self, characters: list[str]) -> None:
        self._initial_alphabet = characters

    # Training --------------------------------------------------------------------------------------------------------

    def train_from_iterator(
        self,
        tokenizer: TrainingMethods,
        train_iterators: Sequence[Iterable[str | Iterable[str]]],
        dev_iterators: Sequence[Iterable[str | Iterable[str]]] | None = None,
        ratio: Sequence[float] | None = None,
    ) -> None:
        """Give ``tokenizer`` a new BPE model, trained on one iterator of texts for each language.

        The model that it had, of whatever kind and with whatever options, is left as it is (observed).

        ``dev_iterators`` are the texts to measure the languages by, ideally the same in each; ``ratio`` is used without
        them, and replaces the one of the constructor. Raises :class:`ValueError` for no language and where there are
        not as many of these as languages, :class:`OptionError` for a ratio that is not above 0,
        :class:`TokenizerReferenceError` for the variant ``window``, :class:`UpstreamPanicError` where the target never
        ends, and what the iterators raise. The tokenizer is then as it was.
        """
        if not isinstance(tokenizer, TrainingMethods):
            raise TypeError(f"tokenizer: {shown_type(tokenizer)} is not an instance of 'Tokenizer'")
        if self._variant != "base":
            raise TokenizerReferenceError(
                "variant='window' cannot be trained: its rule is known in part only (see the documentation of "
                "ParityBpeTrainer); use variant='base'"
            )
        iterators = list(items("train_iterators", train_iterators))
        if not iterators:
            raise ValueError("train_iterators must not be empty")
        others = None if dev_iterators is None else list(items("dev_iterators", dev_iterators))
        if others is not None and len(others) != len(iterators):
            raise ValueError(
                f"dev_iterators: there are {len(others)}, and {len(iterators)} train_iterators; give as many"
            )
        options = self._parity_options(len(iterators), ratio)
        report = report_of("indicatif", is_shown=self.show_progress)
        languages = [_words(tokenizer, texts, report) for texts in iterators]
        development = None if others is None else [_words(tokenizer, texts, report) for texts in others]
        learner = ParityLearner(languages, development, options)
        merges = list(reported(report, "Compute merges", learner.merges(), options.num_merges))
        model = BPE()
        set_merges(model, learner.ids, merges, options.merging)
        tokenizer.model = model
        tokenizer.add_special_tokens([*self.special_tokens])

    def _parity_options(self, languages: int, ratio: Sequence[float] | None) -> ParityOptions:
        ratios = self._ratio if ratio is None else _numbers("ratio", ratio)
        if ratios is not None and len(ratios) != languages:
            raise OptionError(f"ratio has {len(ratios)} numbers, and there are {languages} languages; give as many")
        for at, each in enumerate(ratios or ()):
            if not 0 < each < float("inf"):
                raise OptionError(f"ratio[{at}]={each!r}: expected a finite number above 0")
        merging = MergeOptions(
            min_frequency=self.min_frequency,
            special_tokens=tuple(token.content for token in self._special_tokens),
            limit_alphabet=self.limit_alphabet,
            initial_alphabet=tuple(self._initial_alphabet),
            continuing_subword_prefix=self.continuing_subword_prefix,
            end_of_word_suffix=self.end_of_word_suffix,
            max_token_length=self.max_token_length,
        )
        return ParityOptions(
            merging=merging,
            num_merges=self.num_merges,
            global_merges=self.global_merges,
            total_symbols=self.total_symbols,
            ratio=None if ratios is None else tuple(ratios),
        )

    # State and showing -----------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:  # type: ignore[override]
        """Return the options; of special tokens only their texts, so that their flags are lost (observed)."""
        state = {name: getattr(self, name, None) for name in _STATE}
        return {**state, "ratio": self._ratio, "special_tokens": [token.content for token in self._special_tokens]}

    def __setstate__(self, state: dict[str, Any]) -> None:  # type: ignore[override]
        """Become the trainer that ``state`` describes. Raises :class:`KeyError` for an option that is missing."""
        given = dict(instance("state", state, dict))
        missing = [name for name in (*_SHOWN, "show_progress", "special_tokens") if name not in given]
        if missing:
            raise KeyError(missing[0])
        options: dict[str, Any] = {name: given.get(name) for name in _STATE}
        made = type(self)(**options)
        self.__dict__.clear()
        self.__dict__.update(made.__dict__)

    def _write(self, limits: Limits) -> str:  # noqa: ARG002 - all of it is short
        shown = {
            **{name: getattr(self, name) for name in _SHOWN},
            "variant": f'"{self.variant}"',
            "alpha": decimal(self.alpha),
            "total_symbols": str(self.total_symbols).lower(),
        }
        return f"ParityBpeTrainer({', '.join(f'{name}={value}' for name, value in shown.items())})"


def _character(name: str, value: str) -> str:
    if len(string(name, value)) != 1:
        raise ValueError(f"{name}: expected a string of length 1, got {value!r}")
    return value


def _numbers(name: str, value: Any) -> list[float]:
    return [number(name, item) for item in items(name, value)]


def _words(tokenizer: TrainingMethods, texts: Iterable[str | Iterable[str]], report: Report) -> WordCounts:
    """Return the words of one corpus. Raises what its iterator raises."""
    corpus = IteratorTexts(texts)
    words = count_words(corpus, tokenizer._word_cutter(), report)
    if corpus.error is not None:
        raise corpus.error
    return words
