"""A headline says who came to what: in every wording, for every situation."""

from __future__ import annotations

import pytest

from tokenizer_conformance.causes.explain.page import ON_THE_WAY
from tokenizer_conformance.command_io.conclusion import Conclusion
from tokenizer_conformance.releases.loader_audit.page import LOADING
from tokenizer_conformance.research.file_audit.page import FILES
from tokenizer_conformance.research.offsets_audit.page import INVARIANTS
from tokenizer_conformance.research.streams_audit.page import STREAMS
from tokenizer_conformance.research.training.page import ALGORITHMS
from tokenizer_conformance.research.unicode_audit.page import BEHAVIOURS
from tokenizer_conformance.results.outcomes import ON_TOKENIZERS, Outcome, Outcomes, Result, Wording
from tokenizer_conformance.results.records.ending import Ended
from tokenizer_conformance.validation.search.random_page import RANDOM
from tokenizer_conformance.validation.suite.page import REQUIREMENTS

WORDINGS = {
    "run": ON_TOKENIZERS,
    "fuzzing": RANDOM,
    "suite": REQUIREMENTS,
    "offsets": INVARIANTS,
    "streams": STREAMS,
    "loaders": LOADING,
    "Unicode": BEHAVIOURS,
    "training": ALGORITHMS,
    "files": FILES,
    "explanation": ON_THE_WAY,
}

THREE = ("a", "b", "c")


def of(*rows: tuple[str, dict[str, Result]], wording: Wording = ON_TOKENIZERS) -> Outcomes:
    return Outcomes(tuple(Outcome(who, what, found) for who, on in rows for what, found in on.items()), wording)


def on_all(result: Result) -> dict[str, Result]:
    return dict.fromkeys(THREE, result)


SITUATIONS = {
    "r and t conform on all 3 tokenizers": of(("r", on_all(Result.CONFORMS)), ("t", on_all(Result.CONFORMS))),
    "r conforms on a": of(("r", {"a": Result.CONFORMS})),
    "mine differs on 3 of 3 tokenizers; r, t and m conform": of(
        ("r", on_all(Result.CONFORMS)),
        ("mine", on_all(Result.DIFFERS)),
        ("t", on_all(Result.CONFORMS)),
        ("m", on_all(Result.CONFORMS)),
    ),
    "mine differs on 1 of 3 tokenizers": of(("mine", {**on_all(Result.CONFORMS), "b": Result.DIFFERS})),
    "mine does not load a; r conforms": of(("r", {"a": Result.CONFORMS}), ("mine", {"a": Result.NOT_LOADED})),
    "mine does not load any of 3 tokenizers": of(("mine", on_all(Result.NOT_LOADED))),
    "mine conforms on 2 of 3 tokenizers and does not load 1": of(
        ("mine", {**on_all(Result.CONFORMS), "b": Result.NOT_LOADED})
    ),
    "mine differs on 2 of 2 tokenizers compared and does not load 1": of(
        ("mine", {"a": Result.DIFFERS, "b": Result.DIFFERS, "c": Result.NOT_LOADED})
    ),
    "mine differs on 1 of the 2 tokenizers compared and does not load 1": of(
        ("mine", {"a": Result.DIFFERS, "b": Result.CONFORMS, "c": Result.NOT_LOADED})
    ),
    "mine differs on a and does not load 2 of 3 tokenizers": of(
        ("mine", {"a": Result.DIFFERS, "b": Result.NOT_LOADED, "c": Result.NOT_LOADED})
    ),
    "mute shows nothing that was asked on any of 3 tokenizers": of(("mute", on_all(Result.NOT_SHOWN))),
    "crashing gives no answer on 1 of 3 tokenizers and differs on 1; gone cannot be used": of(
        ("crashing", {"a": Result.NO_ANSWER, "b": Result.DIFFERS, "c": Result.CONFORMS}),
        ("gone", {"": Result.UNAVAILABLE}),
    ),
    "flaky answers otherwise when asked again on a": of(("flaky", {"a": Result.UNSTABLE})),
    "r differs only as is known on 1 of 3 tokenizers": of(("r", {**on_all(Result.CONFORMS), "b": Result.KNOWN})),
    "nothing was compared": of(),
    "v differs on 2 of 3 tokenizers; y does not load any of 3 tokenizers; x conforms on 2 of 3 tokenizers and does not "
    "load 1; z conforms": of(
        ("v", {**on_all(Result.DIFFERS), "b": Result.CONFORMS}),
        ("x", {**on_all(Result.CONFORMS), "b": Result.NOT_LOADED}),
        ("y", on_all(Result.NOT_LOADED)),
        ("z", on_all(Result.CONFORMS)),
    ),
    "v and w differ on some tokenizers; x does not load some tokenizers; y does not load any tokenizer; "
    "z conforms on all tokenizers": of(
        ("v", on_all(Result.DIFFERS)),
        ("w", {**on_all(Result.CONFORMS), "b": Result.DIFFERS}),
        ("x", {**on_all(Result.CONFORMS), "b": Result.NOT_LOADED}),
        ("y", on_all(Result.NOT_LOADED)),
        ("z", on_all(Result.CONFORMS)),
    ),
}


@pytest.mark.parametrize("said", SITUATIONS)
def test_a_sentence_says_who_and_what(said: str) -> None:
    assert SITUATIONS[said].sentence() == said


@pytest.mark.parametrize("result", Result)
@pytest.mark.parametrize("name", WORDINGS)
def test_in_every_wording_nobody_conforms_who_does_not(name: str, result: Result) -> None:
    wording = WORDINGS[name]
    good = wording.verbs[Result.CONFORMS][0].removesuffix("{}").strip()
    for many in (THREE, THREE[:1]):
        said = of(("mine", dict.fromkeys(many, result)), wording=wording).sentence()
        assert said.startswith("mine ")
        assert (good in said) is (result is Result.CONFORMS), said
        assert "{" not in said
    beside = of(("mine", on_all(result)), ("sound", on_all(Result.CONFORMS)), wording=wording).sentence()
    if result is not Result.CONFORMS:
        assert beside.startswith("mine ")
        assert beside.partition("; ")[2].startswith("sound ")


@pytest.mark.parametrize(
    ("conclusion", "outcomes", "said"),
    [
        (Conclusion.CONFORM, of(("r", {"a": Result.CONFORMS})), "r conforms on a"),
        (Conclusion.INTERRUPTED, of(("r", {"a": Result.CONFORMS})), "interrupted; until then r conforms on a"),
        (Conclusion.INTERRUPTED, of(), "interrupted; until then nothing was compared"),
        (Conclusion.INTERNAL_ERROR, of(), "tokconf itself failed; until then nothing was compared"),
        (Conclusion.STALE, of(("r", {"a": Result.CONFORMS})), "r conforms on a; an entry of a ledger is out of date"),
        (Conclusion.NOTHING_COMPARED, of(), "nothing was compared"),
        (Conclusion.NOTHING_COMPARED, of(("r", {"a": Result.DIFFERS})), "r differs on a; not everything was compared"),
        (Conclusion.NOTHING_COMPARED, of(("r", {"a": Result.NOT_LOADED})), "r does not load a"),
        (Conclusion.IMPLEMENTATION_FAILED, of(("r", {"a": Result.NO_ANSWER})), "r gives no answer on a"),
        (
            Conclusion.IMPLEMENTATION_FAILED,
            of(("r", {"a": Result.CONFORMS})),
            "r conforms on a; an implementation failed",
        ),
        (Conclusion.TOO_LITTLE, of(("r", {"a": Result.TOO_LITTLE})), "r answers too little on a"),
        (Conclusion.BAD_INPUT, of(("r", {"a": Result.DIFFERS})), "r differs on a; not all that was given can be used"),
        (Conclusion.INCOMPLETE, of(("r", {"a": Result.CONFORMS})), "r conforms on a; parts of the run are missing"),
    ],
)
def test_a_headline_says_how_the_command_ended_where_nobody_else_does(
    conclusion: Conclusion, outcomes: Outcomes, said: str
) -> None:
    assert outcomes.headline(Ended(finished=True, conclusion=conclusion)) == said


def test_what_one_came_to_is_told_alone() -> None:
    both = of(("mine", on_all(Result.NO_ANSWER)), ("sound", on_all(Result.CONFORMS)))
    assert both.about("sound").sentence() == "sound conforms on all 3 tokenizers"
    assert both.about("sound").gravest is Result.CONFORMS
    assert both.on("a").sentence() == "mine gives no answer on a; sound conforms"
