"""Cases of encodings, truncation, padding and post-processors."""

from __future__ import annotations

import asyncio
from typing import Any

from quirk_cases.asking import encoding, loaded, state, words
from quirk_cases.case import Case, Panics, Refuses, Shows, Varies

CLS, SEP = ("<s>", 8), ("</s>", 9)


def _bert(package: Any) -> Any:
    return package.processors.BertProcessing(SEP, CLS)


def _template(package: Any, single: str = "X $A Y", pair: str = "$A $B") -> Any:
    return package.processors.TemplateProcessing(single, pair, [("X", 8), ("Y", 9)])


def _in_a_row(package: Any, *processors: Any) -> Any:
    return words(package, post_processor=package.processors.Sequence(list(processors)))


def _truncated(package: Any, max_length: int, *texts: str, post_processor: Any = None, **options: Any) -> Any:
    tokenizer = words(package, post_processor=post_processor)
    tokenizer.enable_truncation(max_length, **options)
    return tokenizer.encode(*texts)


def _single_input(package: Any) -> object:
    made = words(package).encode("a")
    return made.sequence_ids, [made.token_to_sequence(index) for index in range(3)]


async def _encoded_later(tokenizer: Any, text: str) -> Any:
    return (await tokenizer.async_encode(text)).offsets, (await tokenizer.async_encode_batch([text]))[0].offsets


def _fast(package: Any) -> object:
    (made,) = words(package).encode_batch_fast(["a b"])
    return made.ids, made.tokens, made.offsets


ENCODINGS: dict[str, Case] = {
    "SINGLE-INPUT-HAS-NO-RANGE": Shows(ask=_single_input, odd=([0], [0, 0, None]), naive=([0], [0, None, None])),
    "UNKNOWN-SEQUENCE-IS-THE-WHOLE-ENCODING": Shows(
        ask=lambda package: words(package).encode("a b").word_to_tokens(1, 3), odd=(1, 2), naive=None
    ),
    "SEARCH-FOR-A-WORD-ENDS-AT-A-LATER-WORD": Shows(
        ask=lambda package: encoding(package, "a", "b", "c", words=[1, 0, 1]).word_to_tokens(0), odd=None, naive=(1, 2)
    ),
    "MERGED-OFFSETS-GROW-BY-DEFAULT": Shows(
        ask=lambda package: package.Encoding.merge([words(package).encode(text) for text in ("a", "b")]).offsets,
        odd=[(0, 1), (1, 2)],
        naive=[(0, 1), (0, 1)],
    ),
    "RANGE-PAST-THE-END-PANICS": Panics(
        ask=lambda package: encoding(package, "a", sequence_ranges={"0": {"start": 0, "end": 5}}).sequence_ids,
        message="range end index 5 out of range for slice of length 1",
    ),
    "OVERLAPPING-RANGES-ARE-DRAWN": Varies(
        instead="answers with the lowest",
        ask=lambda package: encoding(
            package, "a", sequence_ranges={str(number): {"start": 0, "end": 1} for number in range(3)}
        ).token_to_sequence(0),
        answers=frozenset({0, 1, 2}),
        reference=0,
    ),
    "BATCH-FAST-HAS-IDS-ONLY": Shows(
        ask=_fast,
        odd=([1, 2], ["", ""], [(0, 0), (0, 0)]),
        naive=([1, 2], ["a", "b"], [(0, 1), (2, 3)]),
    ),
    "ASYNC-ENCODE-HAS-BYTE-OFFSETS": Shows(
        ask=lambda package: asyncio.run(_encoded_later(words(package), "é b")),
        odd=([(0, 2), (3, 4)], [(0, 1), (2, 3)]),
        naive=([(0, 1), (2, 3)], [(0, 1), (2, 3)]),
    ),
}


def _stride(package: Any, stride: int) -> object:
    try:
        words(package).enable_truncation(3, stride=stride)
    except ValueError:
        return "refused"
    return "taken"


def _parts(made: Any) -> list[Any]:
    return [made, *made.overflowing]


TRUNCATION_AND_PADDING: dict[str, Case] = {
    "TRUNCATION-TAKES-A-STRIDE-THAT-IS-TOO-LONG": Shows(
        ask=lambda package: [_stride(package, stride) for stride in (2, 3, 4)],
        odd=["taken", "taken", "refused"],
        naive=["taken", "refused", "refused"],
    ),
    "TRUNCATION-WITHOUT-PROGRESS-PANICS": Panics(
        ask=lambda package: _truncated(package, 3, "a b c d", stride=3),
        message="`stride` must be strictly less than `max_len=3`",
    ),
}


def _kinds(package: Any, *processors: Any) -> list[str]:
    return [type(loaded(package, post_processor=processor).post_processor).__name__ for processor in processors]


def _with_overflow(package: Any) -> Any:
    inner = state("c", offsets=[(3, 5)])
    return encoding(package, "a", overflowing=[state("b", offsets=[(3, 5)], overflowing=[inner])])


def _set_later(package: Any) -> object:
    template = _template(package)
    template.single = "$A Q Q Q"
    return template.num_special_tokens_to_add(is_pair=False)


def _read_and_set(package: Any) -> object:
    template = _template(package, "$A X:1")
    shown = template.single
    try:
        package.processors.TemplateProcessing(shown)
    except ValueError:
        return shown, "refused"
    return shown, "taken"


def _missing(package: Any) -> object:
    try:
        package.processors.TemplateProcessing("T1 T2 T3 $A")
    except ValueError as error:
        return tuple(sorted(("T1", "T2", "T3"), key=str(error).index))
    return None


PROCESSORS: dict[str, Case] = {
    "TEMPLATE-AFTER-A-TEMPLATE-PANICS": Panics(
        ask=lambda package: _in_a_row(package, _template(package), _template(package)).encode("a"),
        message="not yet implemented",
    ),
    "TEMPLATE-SPLITS-AT-EVERY-SPACE": Refuses(
        ask=lambda package: package.processors.TemplateProcessing("$A  X", special_tokens=[("X", 1)]),
        message=r"Missing SpecialToken\(s\) with id\(s\) ``",
    ),
    "TEMPLATE-SET-LATER-IS-NOT-COUNTED": Shows(ask=_set_later, odd=2, naive=3),
    "TEMPLATE-READS-AS-DEBUG-TEXT": Shows(
        ask=_read_and_set,
        odd=(
            'Template([Sequence { id: A, type_id: 0 }, SpecialToken { id: "X", type_id: 1 }])',
            "refused",
        ),
        naive=("$A X:1", "taken"),
    ),
    "TEMPLATE-OF-ONE-WITH-SECOND-SEQUENCE-PANICS": Panics(
        ask=lambda package: words(package, post_processor=package.processors.TemplateProcessing("$B")).encode("a"),
        message="index out of bounds: the len is 1 but the index is 1",
    ),
    "TEMPLATE-IN-A-FILE-IS-NOT-CHECKED": Panics(
        ask=lambda package: loaded(
            package,
            post_processor={
                "type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "X", "type_id": 0}}],
                "pair": [],
                "special_tokens": {},
            },
        ).encode("a"),
        message="no entry found for key",
    ),
    "TEMPLATE-NAMES-MISSING-TOKENS-IN-ANY-ORDER": Varies(
        instead="lists them in the order of the template",
        ask=_missing,
        answers=frozenset(
            (first, second, third)
            for first in ("T1", "T2", "T3")
            for second in ("T1", "T2", "T3")
            for third in ("T1", "T2", "T3")
            if len({first, second, third}) == 3
        ),
        reference=("T1", "T2", "T3"),
    ),
    "PROCESSOR-OVERRIDES-TYPE-IDS": Shows(
        ask=lambda package: _bert(package).process(encoding(package, "a", type_ids=[7]), None, False).type_ids,
        odd=[0],
        naive=[7],
    ),
    "SPECIAL-TOKENS-LOSE-NESTED-OVERFLOW": Shows(
        ask=lambda package: [
            [inner.tokens for inner in part.overflowing]
            for processor in (_bert(package), _template(package))
            for part in processor.process(_with_overflow(package)).overflowing
        ],
        odd=[[], [["X", "c", "Y"]]],
    ),
}
