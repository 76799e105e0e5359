"""Cases of encodings, truncation, padding and post-processors."""

from __future__ import annotations

import asyncio
from typing import Any

from quirk_cases.asking import encoding, loaded, state, tokens_of, words
from quirk_cases.case import Case, Panics, Refuses, Shows, Varies

CLS, SEP = ("<s>", 8), ("</s>", 9)


def _bert(package: Any) -> Any:
    return package.processors.BertProcessing(SEP, CLS)


def _roberta(package: Any) -> Any:
    return package.processors.RobertaProcessing(SEP, CLS)


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
    "OFFSETS-RESTART-IN-EVERY-WORD": Shows(
        ask=lambda package: tokens_of(words(package), ["a", "b c"], is_pretokenized=True),
        odd=[("a", (0, 1)), ("b", (0, 1)), ("c", (2, 3))],
        naive=[("a", (0, 1)), ("b", (2, 3)), ("c", (4, 5))],
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


def _left_padded(package: Any, *texts: str) -> object:
    tokenizer = words(package)
    tokenizer.enable_padding(length=3, direction="left")
    return tokenizer.encode(*texts).sequence_ids


def _parts(made: Any) -> list[Any]:
    return [made, *made.overflowing]


TRUNCATION_AND_PADDING: dict[str, Case] = {
    "TRUNCATION-WRAPS-AROUND-BELOW-ZERO": Shows(
        ask=lambda package: [
            len(_truncated(package, max_length, "a b c d", post_processor=_bert(package))) for max_length in (3, 1)
        ],
        odd=[3, 6],
    ),
    "TRUNCATION-TAKES-A-STRIDE-THAT-IS-TOO-LONG": Shows(
        ask=lambda package: [_stride(package, stride) for stride in (2, 3, 4)],
        odd=["taken", "taken", "refused"],
        naive=["taken", "refused", "refused"],
    ),
    "TRUNCATION-WITHOUT-PROGRESS-PANICS": Panics(
        ask=lambda package: _truncated(package, 3, "a b c d", stride=3),
        message="`stride` must be strictly less than `max_len=3`",
    ),
    "TRUNCATION-IN-A-FILE-IS-NOT-CHECKED": Shows(
        ask=lambda package: loaded(
            package, truncation={"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 5}
        ).truncation["stride"],
        odd=5,
    ),
    "TRUNCATION-TO-ZERO-OVERFLOWS-IN-ONE-PIECE": Shows(
        ask=lambda package: [part.tokens for part in _parts(_truncated(package, 0, "a b c"))], odd=[[], ["a", "b", "c"]]
    ),
    "TRUNCATED-PARTS-LOSE-THEIR-SEQUENCE": Shows(
        ask=lambda package: [(part.tokens, part.sequence_ids) for part in _parts(_truncated(package, 2, "a b", "c d"))],
        odd=[(["a", "c"], [0, 1]), (["b", "c"], [0, 0]), (["b", "d"], [0, 0]), (["a", "d"], [0, None])],
        naive=[(["a", "c"], [0, 1]), (["b", "c"], [0, 1]), (["b", "d"], [0, 1]), (["a", "d"], [0, 1])],
    ),
    "OVERFLOW-HAS-OVERFLOW": Shows(
        ask=lambda package: [
            (part.tokens, [inner.tokens for inner in part.overflowing])
            for part in _truncated(package, 2, "a b", "c d").overflowing
        ],
        odd=[(["b", "c"], [["b", "d"]]), (["b", "d"], []), (["a", "d"], [["b", "d"]])],
        naive=[(["b", "c"], []), (["b", "d"], []), (["a", "d"], [])],
    ),
    "PADDING-BELONGS-TO-THE-SEQUENCE": Shows(
        ask=lambda package: (_left_padded(package, "a"), _left_padded(package, "a", "b")),
        odd=([0, 0, 0], [None, 0, 1]),
        naive=([None, None, 0], [None, 0, 1]),
    ),
}

_ROBERTA_FIELDS = {"sep": SEP, "cls": CLS, "trim_offsets": True, "add_prefix_space": True}


def _kinds(package: Any, *processors: Any) -> list[str]:
    return [type(loaded(package, post_processor=processor).post_processor).__name__ for processor in processors]


def _with_overflow(package: Any) -> Any:
    inner = state("c", offsets=[(3, 5)])
    return encoding(package, "a", overflowing=[state("b", offsets=[(3, 5)], overflowing=[inner])])


def _roberta_without_special_tokens(package: Any) -> object:
    first = encoding(package, "a", "Ġb", offsets=[(0, 1), (1, 3)])
    made = _roberta(package).process(first, encoding(package, "c"), add_special_tokens=False)
    return made.offsets, made.type_ids


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


def _unequal_columns(package: Any) -> object:
    template = {
        "type": "TemplateProcessing",
        "single": [{"SpecialToken": {"id": "X", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [],
        "special_tokens": {"X": {"id": "X", "ids": [7, 8], "tokens": ["q"]}},
    }
    made = loaded(package, post_processor=template).encode("a")
    return made.ids, made.tokens


def _missing(package: Any) -> object:
    try:
        package.processors.TemplateProcessing("T1 T2 T3 $A")
    except ValueError as error:
        return tuple(sorted(("T1", "T2", "T3"), key=str(error).index))
    return None


def _types_of_parts(package: Any) -> object:
    made = _truncated(package, 2, "a b", post_processor=_template(package, "X:2 $A:3"))
    return [part.type_ids for part in _parts(made)]


PROCESSORS: dict[str, Case] = {
    "PROCESSOR-TYPE-IS-GUESSED": Shows(
        ask=lambda package: _kinds(
            package,
            {"type": "BertProcessing", **_ROBERTA_FIELDS},
            {"type": "RobertaProcessing", "sep": SEP, "cls": CLS},
        ),
        odd=["RobertaProcessing", "BertProcessing"],
        naive=["BertProcessing", "RobertaProcessing"],
    ),
    "BERT-AND-ROBERTA-RESET-MASKS": Shows(
        ask=lambda package: [
            (made.special_tokens_mask, made.attention_mask)
            for processor in (_bert(package), _roberta(package))
            for made in [processor.process(encoding(package, "a", special_tokens_mask=[1], attention_mask=[0]))]
        ],
        odd=[([1, 0, 1], [1, 1, 1])] * 2,
        naive=[([1, 1, 1], [1, 0, 1])] * 2,
    ),
    "ROBERTA-WORKS-WITHOUT-SPECIAL-TOKENS": Shows(
        ask=_roberta_without_special_tokens,
        odd=([(0, 1), (2, 3), (0, 1)], [0, 0, 0]),
        naive=([(0, 1), (1, 3), (0, 1)], [0, 0, 1]),
    ),
    "TRIMMING-KEEPS-ONE-BLANK-AT-OFFSET-ZERO": Shows(
        ask=lambda package: (
            package.processors.ByteLevel()
            .process(encoding(package, "Ġa", "Ġb", "Ġc", offsets=[(0, 2), (0, 2), (2, 4)]))
            .offsets
        ),
        odd=[(0, 2), (0, 2), (3, 4)],
        naive=[(0, 2), (1, 2), (3, 4)],
    ),
    "BYTE-LEVEL-PROCESSOR-RENUMBERS-SEQUENCES": Shows(
        ask=lambda package: (
            _in_a_row(package, _template(package), package.processors.ByteLevel()).encode("a").sequence_ids
        ),
        odd=[None, 1, 2],
        naive=[None, 0, None],
    ),
    "BERT-SURROUNDS-EVERY-PART-OF-A-TEMPLATE": Shows(
        ask=lambda package: _in_a_row(package, _template(package), _bert(package)).encode("a").tokens,
        odd=["<s>", "X", "</s>", "a", "</s>", "Y", "</s>"],
        naive=["<s>", "X", "a", "Y", "</s>"],
    ),
    "TEMPLATE-AFTER-A-TEMPLATE-PANICS": Panics(
        ask=lambda package: _in_a_row(package, _template(package), _template(package)).encode("a"),
        message="not yet implemented",
    ),
    "TEMPLATE-SPLITS-AT-EVERY-SPACE": Refuses(
        ask=lambda package: package.processors.TemplateProcessing("$A  X", special_tokens=[("X", 1)]),
        message=r"Missing SpecialToken\(s\) with id\(s\) ``",
    ),
    "TEMPLATE-SECOND-SEQUENCE-HAS-TYPE-0": Shows(
        ask=lambda package: words(package, post_processor=_template(package)).encode("a", "b").type_ids,
        odd=[0, 0],
        naive=[0, 1],
    ),
    "TEMPLATE-NUMBER-IS-A-TYPE-OF-THE-FIRST-SEQUENCE": Shows(
        ask=lambda package: words(package, post_processor=_template(package, "$2")).encode("a").type_ids, odd=[2]
    ),
    "TEMPLATE-LEAVES-TYPES-OF-OVERFLOW": Shows(ask=_types_of_parts, odd=[[2, 3], [2, 0]], naive=[[2, 3], [2, 3]]),
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
    "TEMPLATE-IN-A-FILE-MAY-HAVE-COLUMNS-OF-UNEQUAL-LENGTH": Shows(ask=_unequal_columns, odd=([7, 8, 1], ["q", "a"])),
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
