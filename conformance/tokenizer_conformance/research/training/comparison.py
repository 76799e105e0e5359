"""Two trained models side by side: words, tokens, merges or scores, ids; and what the difference does to the corpus.

Levels build on each other, and the first that differs is to blame for what follows. A level is a **tie** where the two
sides differ, and exact counts prove that the algorithm allows both.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import groupby
from statistics import median
from typing import TYPE_CHECKING, Any

from tokenizer_adapters.training import Algorithm
from tokenizer_conformance.research.training.divergence import Replayed, first_divergence
from tokenizer_conformance.research.training.merge_replay import MergeReplay, replay
from tokenizer_conformance.research.training.order import Ranking, ranking_by_count, ranking_by_score
from tokenizer_conformance.research.training.segmentation import effect_of, segmenter
from tokenizer_conformance.research.training.task import character_counts
from tokenizer_conformance.results.records import training as lines
from tokenizer_conformance.results.records.making import made

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from tokenizer_adapters.training import TrainedModel
    from tokenizer_conformance.research.training.task import TrainingTask

Judgement = MergeReplay | Ranking


class Level(StrEnum):
    """What is compared, in the order in which blame falls."""

    TOKENS = "tokens"
    MERGES = "merges"
    SCORES = "scores"
    IDS = "ids"


LEVELS: dict[Algorithm, tuple[Level, ...]] = {
    Algorithm.BPE: (Level.TOKENS, Level.MERGES, Level.IDS),
    Algorithm.WORDPIECE: (Level.TOKENS, Level.MERGES, Level.IDS),
    Algorithm.UNIGRAM: (Level.TOKENS, Level.SCORES, Level.IDS),
    Algorithm.WORDLEVEL: (Level.TOKENS, Level.IDS),
}
"""The levels of each algorithm."""


class Agreement(StrEnum):
    """How two sides stand at a level."""

    AGREE = "agree"
    TIE = "tie"
    DIFFER = "differ"
    NOT_SHOWN = "not shown"


class TokenOrigin(StrEnum):
    """What kind of token an id is given to."""

    SPECIAL = "special tokens"
    CHARACTER = "characters"
    AFFIXED = "characters with an affix"
    LEARNED = "learned tokens"


class JudgedModel:
    """A model, how it stands beside exact counts, and how it cuts the words of the corpus."""

    def __init__(self, model: TrainedModel, task: TrainingTask) -> None:
        self.model = model
        self.judgement = judge(model, task)
        cut = segmenter(model, task)
        self.segments = {word: cut(word) for word in task.words}


def judge(model: TrainedModel, task: TrainingTask) -> Judgement:
    """Say how ``model`` stands beside exact counts of the corpus."""
    match task.algorithm:
        case Algorithm.WORDLEVEL:
            return ranking_by_count(model, task)
        case Algorithm.UNIGRAM:
            return ranking_by_score(model, task)
    return replay(model, task)


def compare(first: JudgedModel, second: JudgedModel, task: TrainingTask) -> lines.ComparisonBody:
    """Return ``first`` and ``second`` side by side."""
    return _Comparing(first, second, task).done()


LISTED = 1000
"""How many tokens are listed that only one side has, or that have another id; how many there are stands beside them."""

LARGEST = 20
"""How many differences of scores are kept."""

REQUIRED_STEP = 0.0001
"""Characters of the corpus that pruning has dropped are kept all the same: the first with the lowest score of all
pieces, each further one with so much more. Their order is open (in ``tokenizers``, random)."""


class _Comparing:
    """A comparison at work."""

    def __init__(self, first: JudgedModel, second: JudgedModel, task: TrainingTask) -> None:
        self._judged = first, second
        self._task = task
        self._first, self._second = first.model, second.model
        self._only_first = _missing(self._first, self._second)
        self._only_second = _missing(self._second, self._first)
        self._shared = [token for token in self._first.tokens if token in self._second.tokens]
        self._scores = self._compared_scores()
        self._moved = tuple(
            lines.MovedToken(token=token, first=self._first.tokens[token], second=self._second.tokens[token])
            for token in sorted(self._shared, key=self._first.tokens.__getitem__)
            if self._first.tokens[token] != self._second.tokens[token]
        )
        self._both_legal = all(judged.judgement.is_legal for judged in self._judged)

    def done(self) -> lines.ComparisonBody:
        levels = tuple(map(self._level, LEVELS[self._task.algorithm]))
        found = [each.agreement for each in levels]
        return made(
            lines.ComparisonBody,
            None,
            agreement=next(each for each in (Agreement.DIFFER, Agreement.TIE, Agreement.AGREE) if each in found),
            blamed=next((each.level for each in levels if each.agreement in (Agreement.DIFFER, Agreement.TIE)), None),
            levels=levels,
            shared=len(self._shared),
            only_first=listed(self._only_first),
            only_second=listed(self._only_second),
            in_one_word=self._in_one_word(),
            divergence=self._divergence(),
            scores=self._scores,
            moved=listed(self._moved),
            layouts=(layout_of(self._first, self._task), layout_of(self._second, self._task)),
            effect=effect_of(self._judged[0].segments, self._judged[1].segments, self._task),
        )

    def _divergence(self) -> lines.Divergence | None:
        first, second = (judged.judgement for judged in self._judged)
        if not isinstance(first, MergeReplay) or not isinstance(second, MergeReplay):
            return None
        return first_divergence(Replayed(self._first, first), Replayed(self._second, second), self._task)

    def _level(self, level: Level) -> lines.LevelOfComparison:
        match level:
            case Level.TOKENS:
                differing = len(self._only_first) + len(self._only_second)
                return _result(level, len(self._shared) + differing, differing, is_tie=self._tokens_are_tied())
            case Level.MERGES:
                return self._merges()
            case Level.SCORES if self._scores is None:
                return _not_shown(level)
            case Level.SCORES if self._scores is not None:
                return _result(level, self._scores.compared, self._scores.beyond, is_tie=self._scores.are_exchanged)
        return _result(Level.IDS, len(self._shared), len(self._moved), is_tie=self._ids_are_tied())

    # Tokens ----------------------------------------------------------------------------------------------------------

    def _tokens_are_tied(self) -> bool:
        only = [*self._only_first, *self._only_second]
        if not self._both_legal or len(self._task.unmarked(only)) != len(only):
            return False
        match self._task.algorithm:
            case Algorithm.UNIGRAM:
                return self._are_last_pieces()
            case Algorithm.WORDLEVEL:
                return True  # both keep the most frequent words, so that only equally frequent ones can be exchanged
        return self._alphabets_are_tied()

    def _alphabets_are_tied(self) -> bool:
        """Whether the two sides begin with the same symbols, or with others of characters that are equally frequent."""
        symbols, others = (self._symbols(model) for model in (self._first, self._second))
        if symbols == others:
            return True
        one, other = ({symbol for symbol in each if len(symbol) == 1} for each in (symbols, others))
        counts = character_counts(self._task.words)
        return len(one) == len(other) and len({counts.get(character, 0) for character in one ^ other}) == 1

    def _symbols(self, model: TrainedModel) -> set[str]:
        return {token for token in self._task.unmarked(model.tokens) if self._task.affixes.length(token) == 1}

    def _are_last_pieces(self) -> bool:
        """Whether the pieces of one side only all have the lowest score of both sides."""
        lowest = [
            min((model.scores or {}).get(token, 0.0) for token in self._task.unmarked(model.tokens))
            for model in (self._first, self._second)
        ]
        own = [(self._first.scores or {}).get(token) for token in self._only_first]
        own += [(self._second.scores or {}).get(token) for token in self._only_second]
        scores = [*lowest, *(score for score in own if score is not None)]
        return None not in own and max(scores) - min(scores) <= self._task.tolerance

    def _in_one_word(self) -> tuple[int, int] | None:
        """Count the pieces of one side only that are within one kind of word alone.

        Trainers differ over these: a piece that no two words share is no candidate to ``tokenizers``, however often it
        occurs.
        """
        if self._task.algorithm is not Algorithm.UNIGRAM:
            return None
        words = words_with({*self._only_first, *self._only_second}, self._task)
        first, second = (sum(words[token] == 1 for token in only) for only in (self._only_first, self._only_second))
        return first, second

    # Merges and scores -----------------------------------------------------------------------------------------------

    def _merges(self) -> lines.LevelOfComparison:
        first, second = self._first.merges, self._second.merges
        if first is None or second is None:
            return _not_shown(Level.MERGES)
        longer = max(len(first), len(second))
        differing = longer - sum(one == other for one, other in zip(first, second, strict=False))
        is_tie = self._both_legal and self._alphabets_are_tied()
        return _result(Level.MERGES, longer, differing, is_tie=is_tie)

    def _compared_scores(self) -> lines.Scores | None:
        first, second = self._first.scores, self._second.scores
        if first is None or second is None:
            return None
        pieces = [token for token in self._task.unmarked(self._shared) if token in first and token in second]
        found = [lines.Largest(token=token, first=first[token], second=second[token]) for token in pieces]
        farthest = sorted(found, key=_size, reverse=True)
        beyond = [each for each in farthest if _size(each) > self._task.tolerance]
        return lines.Scores(
            compared=len(found),
            beyond=len(beyond),
            largest=tuple(beyond[:LARGEST] or farthest[:1]),
            shift=median(each.second - each.first for each in found) if found else 0.0,
            are_exchanged=self._are_exchanged(beyond, found),
        )

    def _are_exchanged(self, beyond: list[lines.Largest], found: list[lines.Largest]) -> bool:
        """Whether ``beyond`` are characters with the same scores in another order, as low as those of dropped ones."""
        sides = ([each.first for each in beyond], [each.second for each in beyond])
        lowest = min((each.first for each in found), default=0.0)
        highest = lowest + REQUIRED_STEP * sum(len(each.token) == 1 for each in found) + self._task.tolerance
        return (
            bool(beyond)
            and all(len(each.token) == 1 for each in beyond)
            and all(
                abs(one - other) <= self._task.tolerance and one <= highest
                for one, other in zip(*map(sorted, sides), strict=True)
            )
        )

    # Ids -------------------------------------------------------------------------------------------------------------

    def _ids_are_tied(self) -> bool:
        special = self._task.options.special_tokens
        if not self._both_legal or any(moved.token in special for moved in self._moved):
            return False
        if set(self._first.tokens.values()) != set(self._second.tokens.values()):
            return False
        match self._task.algorithm:
            case Algorithm.UNIGRAM:
                return self._scores_agree_or_tie() and self._tokens_agree_or_tie()
            case Algorithm.WORDLEVEL:
                return True  # both have the words in the order of their counts, so that only equals can be exchanged
        return self._alphabets_are_tied() and self._kinds_keep_their_ids()

    def _scores_agree_or_tie(self) -> bool:
        return self._scores is not None and (not self._scores.beyond or self._scores.are_exchanged)

    def _tokens_agree_or_tie(self) -> bool:
        return not (self._only_first or self._only_second) or self._tokens_are_tied()

    def _kinds_keep_their_ids(self) -> bool:
        """Whether both sides give the same ids to characters, to those with an affix, and to what is merged.

        And whether characters have theirs in one order, and what is merged in the order in which it was learned.
        """
        first, second = (_kinds(model, self._task) for model in (self._first, self._second))
        return (
            all(_is_in_order(judged.model, self._task) for judged in self._judged)
            and _ids_by_kind(self._first, first) == _ids_by_kind(self._second, second)
            and _characters(first, second) == _characters(second, first)
        )


def words_with(tokens: AbstractSet[str], task: TrainingTask) -> dict[str, int]:
    """Return in how many kinds of words each of ``tokens`` is.

    >>> from tokenizer_adapters.training import TrainingOptions
    >>> from tokenizer_conformance.research.training.task import TrainingTask
    >>> options = TrainingOptions(vocab_size=9)
    >>> words = TrainingTask(algorithm=Algorithm.UNIGRAM, words={"to": 5, "tot": 1}, options=options)
    >>> words_with({"to", "ot"}, words)
    {'ot': 1, 'to': 2}
    """
    found = dict.fromkeys(sorted(tokens), 0)
    lengths = sorted({len(token) for token in tokens})
    for word in task.words:
        parts = {word[start : start + length] for length in lengths for start in range(len(word) - length + 1)}
        for part in parts & tokens:
            found[part] += 1
    return found


def _missing(model: TrainedModel, other: TrainedModel) -> tuple[str, ...]:
    """Return the tokens that ``other`` has not, by id."""
    return tuple(sorted((token for token in model.tokens if token not in other.tokens), key=model.tokens.__getitem__))


def _size(scores: lines.Largest) -> float:
    return abs(scores.first - scores.second)


def listed(entries: Sequence[object]) -> dict[str, Any]:
    """Return how many ``entries`` there are, with the first of them."""
    return {"count": len(entries), "entries": entries[:LISTED]}


def _result(level: Level, compared: int, differing: int, *, is_tie: bool) -> lines.LevelOfComparison:
    agreement = Agreement.AGREE if not differing else Agreement.TIE if is_tie else Agreement.DIFFER
    return made(lines.LevelOfComparison, None, level=level, agreement=agreement, compared=compared, differing=differing)


def _not_shown(level: Level) -> lines.LevelOfComparison:
    return made(lines.LevelOfComparison, None, level=level, agreement=Agreement.NOT_SHOWN, compared=0, differing=0)


def _kinds(model: TrainedModel, task: TrainingTask) -> dict[str, TokenOrigin]:
    """Return each token with its kind, by id."""
    learned = set(task.unmarked(model.tokens))
    return {
        token: TokenOrigin.SPECIAL if token not in learned else _kind(token, task)
        for token in sorted(model.tokens, key=model.tokens.__getitem__)
    }


def _kind(token: str, task: TrainingTask) -> TokenOrigin:
    if task.affixes.length(token) > 1:
        return TokenOrigin.LEARNED
    return TokenOrigin.CHARACTER if len(token) == 1 else TokenOrigin.AFFIXED


def layout_of(model: TrainedModel, task: TrainingTask) -> tuple[TokenOrigin, ...]:
    """Return the kinds of tokens in the order of their ids; kinds are told apart for algorithms that merge."""
    if not task.is_merging:
        return ()
    return tuple(kind for kind, _ in groupby(_kinds(model, task).values()))


def _ids_by_kind(model: TrainedModel, kinds: Mapping[str, TokenOrigin]) -> dict[TokenOrigin, set[int]]:
    ids: dict[TokenOrigin, set[int]] = {kind: set() for kind in TokenOrigin}
    for token, kind in kinds.items():
        ids[kind].add(model.tokens[token])
    return ids


def _characters(kinds: Mapping[str, TokenOrigin], others: Mapping[str, TokenOrigin]) -> list[str]:
    """Return the characters that are in ``others`` too, by id."""
    return [token for token, kind in kinds.items() if kind is TokenOrigin.CHARACTER and token in others]


def _is_in_order(model: TrainedModel, task: TrainingTask) -> bool:
    if model.merges is None:
        return True  # the order of the ids is what was done again
    tokens = dict.fromkeys(task.affixes.merged(*pair) for pair in model.merges)
    ids = [model.tokens[token] for token in tokens if token in model.tokens]
    return _rises(ids) and len(ids) == len(tokens)


def _rises(numbers: Iterable[int]) -> bool:
    numbers = list(numbers)
    return numbers == sorted(numbers)
