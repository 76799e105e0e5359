"""Pages made by hand, for the tests of what shows them."""

from __future__ import annotations

from tokenizer_conformance.results.page import (
    Answer,
    Cell,
    Compared,
    Fact,
    Matrix,
    Novelty,
    Page,
    Section,
    Sentence,
    ShownFinding,
    State,
    Step,
    Subject,
    Table,
    Token,
)

IMPLEMENTATIONS = ("alpha", "beta", "gamma")
STAGES = ("normalize", "pre_tokenize", "model", "post_process", "decode")


def page_of(*findings: ShownFinding, name: str = "run.jsonl") -> Page:
    """Return a page with these ``findings``, and something of all else that pages have."""
    cells = tuple(Cell(state, "3 of 4 inputs", "why", {"tokenizer": "a"}) for state in State)
    return Page(
        name=name,
        kind="run",
        title="alpha, beta and gamma on a",
        state=State.DIFFER,
        conclusion="differences",
        summary="differences: 1 tokenizer, 4 inputs",
        sentences=(Sentence("alpha: differs on 1 of 1 tokenizer.", ("alpha",)),),
        facts=(Fact("command", "tokconf run"),),
        compared=(Compared("base", "1.0", "baseline", "Rust"), *(Compared(each, "2.0") for each in IMPLEMENTATIONS)),
        matrices=(Matrix("Implementations and tokenizers", "against base", tuple(State), (("alpha", cells),)),),
        headlines=tuple(each.id for each in findings[:2]),
        findings=findings,
        sections=(Section("Numbers", tables=(NUMBERS,)),),
    )


NUMBERS = Table("Counts", ("name", "count"), (("b", 10), ("a", 9), ("c", 100), ("d", None), ("e", 2.5)))


def finding_of(
    text: str,
    *sides: tuple[Token, ...],
    pair: str | None = None,
    id_: str = "cause-1",
) -> ShownFinding:
    """Return a finding about ``text`` in which each of two ``sides`` has these tokens."""
    texts = [("text", text)] if pair is None else [("text", text), ("pair", pair)]
    return ShownFinding(
        id=id_,
        group="causes",
        headline=f"ids differ for {id_}",
        implementation="alpha",
        tokenizer="a",
        stage="model",
        reason="score-tie",
        count=3,
        subjects=tuple(Subject(label, each, length=len(each)) for label, each in texts),
        answers=tuple(
            Answer(name, tokens, total=len(tokens)) for name, tokens in zip(("base", "alpha"), sides, strict=False)
        ),
        lines=("ids  1", "ids  2"),
        pipeline=tuple(Step(stage, State.DIFFER if stage == "model" else State.AGREE) for stage in STAGES),
        explanation="score-tie",
        proof=("Both are as good.",),
        repeat="tokconf run a -i base alpha --only 'x'",
    )


def many(number: int) -> tuple[ShownFinding, ...]:
    """Return that ``number`` of findings, with counts that sort otherwise as numbers than as words."""
    return tuple(
        ShownFinding(
            id=f"cause-{at + 1}",
            group="causes" if at % 3 else "findings",
            headline=f"ids differ for letter {at % 7} in text {at}",
            implementation=IMPLEMENTATIONS[at % len(IMPLEMENTATIONS)],
            tokenizer=f"tokenizer-{at % 12}",
            stage=STAGES[at % len(STAGES)],
            reason=("score-tie", "unexplained")[at % 2],
            standing=(Novelty.NEW, Novelty.KNOWN)[at % 5 == 0],
            count=(at * 37) % 113,
            subjects=(Subject("text", f"text {at}", length=7),),
            repeat=f"tokconf run --only {at}",
        )
        for at in range(number)
    )
