"""Which texts are asked about, in which order, and from where a later search goes on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from tokenizer_conformance.inputs.text_generators.generator import Generator, Material, Produced
from tokenizer_conformance.validation.search.cases import Case
from tokenizer_conformance.validation.search.dealing import (
    CASES_AT_ONCE,
    KEPT,
    LONG_ROW,
    THOROUGH_EVERY,
    Dealer,
    Scheduler,
)
from tokenizer_conformance.validation.search.generators import ChangedTexts

if TYPE_CHECKING:
    from tokenizer_conformance.validation.search.cases import Batch

NUMBERS = Generator("numbers", "", lambda _: Produced(40, str))
LETTERS = Generator("letters", "", lambda material: Produced(None, lambda n: f"{material.seed}:{n}"))
MATERIAL = Material({}, ("given", "texts"), seed=7)


def dealt(dealer: Dealer, causes: int = 0) -> list[Batch]:
    batches = []
    while (batch := dealer.next()) is not None:
        batches.append(batch)
        dealer.took(batch, len(batch.cases), causes, 0)
    return batches


def dealer_of(*generators: Generator, **options: Any) -> Dealer:
    return Dealer(generators, MATERIAL, **options)


def texts_of(batches: list[Batch]) -> list[str]:
    return [case.text for batch in batches for case in batch.cases]


def test_every_text_of_an_enumeration_is_dealt_once_and_that_is_the_end() -> None:
    dealer = dealer_of(NUMBERS)
    batches = dealt(dealer)
    assert sorted(texts_of(batches)) == sorted([*map(str, range(40)), "given", "texts"])
    assert [batch.number for batch in batches] == list(range(len(batches)))
    assert max(len(batch.cases) for batch in batches) == CASES_AT_ONCE
    assert dealer.is_exhausted


def test_no_more_cases_are_dealt_than_were_wanted() -> None:
    dealer = dealer_of(LETTERS, NUMBERS, cases=45)
    assert len(texts_of(dealt(dealer))) == 45
    assert not dealer.is_exhausted


def test_a_text_is_not_dealt_twice_nor_what_is_none() -> None:
    odd = Generator("odd", "", lambda _: Produced(6, lambda n: ("a", "b", "a", "\ud800", "given", "c")[n]))
    dealer = dealer_of(odd)
    assert sorted(texts_of(dealt(dealer))) == ["a", "b", "c", "given", "texts"]
    assert dealer.skipped == 3


def test_a_truncation_to_little_does_not_make_thousands_of_encodings_of_a_pair() -> None:
    lengths = (3000, 10, 2000, 500)
    long = Generator("long", "", lambda _: Produced(len(lengths), lambda n: "abcd"[n] * lengths[n]))
    truncation = {"max_length": 32, "stride": 4, "strategy": "LongestFirst", "direction": "Right"}

    def pairs(document: dict[str, Any]) -> list[tuple[int, int]]:
        batches = dealt(Dealer((long,), Material(document)))
        return [(len(case.text), len(case.other)) for batch in batches for case in batch.cases]

    assert pairs({"truncation": None}) == [(3000, 10), (10, 2000), (2000, 500), (500, 3000)]
    cut = pairs({"truncation": truncation})
    assert [length for length, _ in cut] == list(lengths)
    assert all(length // 28 * (other // 28) <= 1024 for length, other in cut)
    assert cut[:2] == [(3000, 10), (10, 2000)]


def test_a_generator_that_repeats_itself_holds_up_nobody() -> None:
    same = Generator("same", "", lambda _: Produced(None, lambda _: "always"))
    texts = texts_of(dealt(dealer_of(same, NUMBERS, cases=43)))
    assert len(texts) == len(set(texts)) == 43


def test_kept_cases_come_first() -> None:
    kept = [Case(number, f"kept {number}", "other") for number in range(20)]
    batches = dealt(dealer_of(NUMBERS, kept=kept, cases=25))
    assert [case for batch in batches[:2] for case in batch.cases] == kept
    assert [batch.generator for batch in batches[:3]] == [KEPT, KEPT, "numbers"]


def test_a_text_is_paired_with_the_next_one_and_the_last_with_the_first() -> None:
    (batch, *_) = dealt(dealer_of(NUMBERS))
    assert [case.other for case in batch.cases] == [*(case.text for case in batch.cases[1:]), batch.cases[0].text]


def test_what_is_under_way_is_dealt_again_by_who_goes_on() -> None:
    dealer = dealer_of(NUMBERS)
    first, second = dealer.next(), dealer.next()
    assert first is not None
    assert second is not None
    assert dealer.positions([first, second])["numbers"] == 0
    assert dealer.positions([])["numbers"] == CASES_AT_ONCE
    on = dealer_of(NUMBERS, starts=dealer.positions([]))
    assert set(texts_of(dealt(on))) == set(map(str, range(CASES_AT_ONCE, 40)))


def test_changes_are_made_once_something_was_found() -> None:
    dealer = dealer_of(cases=60)
    assert len(texts_of(dealt(dealer))) == 2
    dealer.changes.put("a text that differs")
    assert len(texts_of(dealt(dealer))) == 58


def test_every_text_of_a_short_row_is_asked_all_and_few_of_a_long_one() -> None:
    long = Generator("long", "", lambda _: Produced(LONG_ROW + 1, lambda n: f"long {n}"))
    batches = dealt(dealer_of(long, NUMBERS, cases=96))
    thorough = {
        name: [case for batch in batches if batch.generator == name for case in batch.cases if case.thorough]
        for name in ("long", "numbers")
    }
    assert len(thorough["numbers"]) == 40
    assert all(case.number % THOROUGH_EVERY == 0 for case in thorough["long"])
    assert thorough["long"]


def test_changes_hang_on_the_seed_and_on_what_was_put_in() -> None:
    one, again, other = (ChangedTexts(seed, ["straße \U0001f600 a\u0301", "x" * 1000]) for seed in (1, 1, 2))
    texts = [one.text(number) for number in range(200)]
    assert texts == [again.text(number) for number in range(200)]
    assert texts != [other.text(number) for number in range(200)]
    assert len(set(texts)) > 150
    assert all(text.encode() is not None and len(text) <= 800 for text in texts)


# Who makes the next texts --------------------------------------------------------------------------------------------


NAMES = ("rich", "poor", "also poor")
ALL = frozenset(NAMES)
EFFORT = 1000


def turns(scheduler: Scheduler, count: int, causes: dict[str, int], ready: frozenset[str] = ALL) -> list[str]:
    """Return who is chosen in so many turns; each brings so many ``causes``."""
    chosen = []
    for _ in range(count):
        name = scheduler.next(ready)
        assert name is not None
        scheduler.dealt(name, EFFORT)
        scheduler.took(name, EFFORT, causes.get(name, 0))
        chosen.append(name)
    return chosen


def test_the_first_are_tried_first() -> None:
    assert turns(Scheduler(NAMES), 3, {}) == list(NAMES)


def test_who_finds_more_is_asked_more_and_nobody_starves() -> None:
    counts = Counter(turns(Scheduler(NAMES), 300, {"rich": 1}))
    assert counts["rich"] > 150
    assert min(counts["poor"], counts["also poor"]) >= 45


def test_without_yield_all_get_the_same() -> None:
    counts = Counter(turns(Scheduler(NAMES), 300, {}))
    assert max(counts.values()) - min(counts.values()) <= 3


def test_what_was_found_long_ago_counts_less() -> None:
    scheduler = Scheduler(NAMES)
    turns(scheduler, 100, {"rich": 1})
    turns(scheduler, 300, {})
    counts = Counter(turns(scheduler, 150, {"poor": 1}))
    assert counts["poor"] > counts["rich"]


def test_who_comes_late_does_not_catch_up() -> None:
    scheduler = Scheduler(NAMES)
    turns(scheduler, 200, {}, ALL - {"poor"})
    assert Counter(turns(scheduler, 30, {}))["poor"] <= 24


def test_there_may_be_nobody() -> None:
    assert Scheduler(NAMES).next(frozenset()) is None
