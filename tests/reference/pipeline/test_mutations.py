"""Changed tokenizer.json files: read or refused as by `tokenizers`; a refusal names place and expectation.

The default run takes a sample of every group of changes, the slow one all of them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from changed_files import AT_LEAST, AT_LEAST_SAMPLED, GROUPS, sample
from hypothesis import given
from hypothesis import strategies as st
from mutation_verdicts import Answer, Verdict, verdicts
from mutations import Mutation

from tokenizer_conformance.inputs.random_tokenizers.complete_documents import COMPLETE_DOCUMENTS, WHOLE
from tokenizer_reference import Tokenizer
from tokenizer_reference.errors import TokenizerFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Exceptions -----------------------------------------------------------------------------------------------------------


def _has_a_second_fault(verdict: Verdict) -> bool:
    answers = (verdict.reference, verdict.target)
    return answers == (Answer.REFUSED, Answer.PANICKED) and verdict.message.startswith("not JSON")


def _has_one_id_for_two_tokens(verdict: Verdict) -> bool:
    vocabulary = json.loads(verdict.mutation.content)["model"]["vocab"] if verdict.difference else {}
    return isinstance(vocabulary, dict) and len(set(vocabulary.values())) < len(vocabulary)


EXCEPTIONS: dict[str, Callable[[Verdict], bool]] = {
    "The target panics at a component before it comes to text that is no JSON; the reference refuses the text.": (
        _has_a_second_fault
    ),
    "Of two tokens with one id, the target writes one at random; the reference the last.": _has_one_id_for_two_tokens,
}
"""Why a file may be answered in two ways, and what tells such a file."""

EXAMPLES_OF_EXCEPTIONS = {
    _has_a_second_fault: (
        b'{"model": {"type": "WordLevel", "vocab": {}, "unk_token": "x"}, "normalizer": {"type": "Precompiled"}, 1}'
    ),
    _has_one_id_for_two_tokens: b'{"model": {"type": "WordLevel", "vocab": {"a": 0, "b": 0}, "unk_token": "a"}}',
}


# What a refusal must say ----------------------------------------------------------------------------------------------

Steps = tuple[str | int, ...]

STEP = re.compile(r'\.(?P<name>[A-Za-z_][\w-]*)|\[(?P<index>\d+)\]|\[(?P<key>"(?:[^"\\]|\\.)*")(?P<cut>…?)\]')

EXPECTATIONS = re.compile(
    r"expected .+"
    r"|missing field `\w+`.*"
    r"|unknown key .+; the top level of a tokenizer.json has only .+"
    r"|unknown tokenizer version .+; only '1.0' is known"
    r"|there is no (normalizer|pre-tokenizer|post-processor|decoder|model) .+; the known ones are .+"
    r"|there is no piece \d+: the vocabulary has \d+ pieces.*"
    r"|the field `\w+` is given twice; expected it once.*"
    r"|the token .+(, which .+ and .+ merge to,)? is not in the vocabulary.*"
    r"|no prefix as long as .+ can be cut from .+; tokenizers panics"
    r"|a precompiled charsmap starts with the length of its trie in 4 bytes; it has \d+"
    r"|.*add_prefix_space.*prepend_scheme.*|false does not match the prepend_scheme .+"
    r"|.+, at position \d+ of the regular expression .+"
    r"|not JSON: .+ at line \d+, column \d+"
    r"|not UTF-8: .+ at byte \d+"
)
"""All that a message may say. A component that is guessed adds which one is the closest."""

RELATED: dict[Steps, Steps] = {
    ("model", "vocab"): ("model",),  # a merge has no token, or there is no piece with the number `unk_id`
    ("model", "continuing_subword_prefix"): ("model", "merges"),  # the tokens of merges are called otherwise
    ("model", "merges", 0): ("model", "merges"),  # it says in which form all others are
}
"""Places of a change that does harm at another place, and where that is."""


class Pairs(list[tuple[str, Any]]):
    """The members of an object, all of them."""


def steps_of(path: str) -> Steps:
    """Return the keys and indices of a JSON path as messages write it."""
    steps: list[str | int] = []
    at = 1
    while at < len(path):
        match = STEP.match(path, at)
        assert match is not None, f"{path!r} is no JSON path"
        at = match.end()
        if match["index"]:
            steps.append(int(match["index"]))
        else:
            steps.append(match["name"] or json.loads(match["key"]) + match["cut"])
    return tuple(steps)


def values_at(value: Any, steps: Steps) -> Iterator[Any]:
    """Give the values at a path: more than one where keys are given twice."""
    if not steps:
        yield value
        return
    step, rest = steps[0], steps[1:]
    if isinstance(value, Pairs):
        for key, member in value:
            if key == step or (isinstance(step, str) and step.endswith("…") and key.startswith(step[:-1])):
                yield from values_at(member, rest)
    elif isinstance(value, list) and isinstance(step, int) and step < len(value):
        yield from values_at(value[step], rest)


DEEP = re.compile(r'(\[{200,})(\]{200,})|((?:\{"a":){200,})0(\}{200,})')
"""Arrays, or objects, in each other, deeper than :mod:`json` can go."""


def _read_all(content: bytes) -> Any:
    """Return the document in ``content``, without what is nested too deeply."""

    def flat(nested: re.Match[str]) -> str:
        arrays, ends, objects, ends_of_objects = nested.groups(default="")
        more = len(arrays) - len(ends)
        return "[" * more + "null" + "]" * -more + "}" * (len(ends_of_objects) - len(objects) // len('{"a":'))

    return json.loads(DEEP.sub(flat, content.decode()), object_pairs_hook=Pairs, parse_int=str, parse_float=str)


def complaint(verdict: Verdict) -> str:
    """Return what is wrong with the error of the reference, if anything is."""
    path, message = verdict.path, verdict.message
    if not path.startswith("$") or not EXPECTATIONS.fullmatch(message):
        return "does not say what was expected"
    steps = steps_of(path)
    if message.startswith("not "):
        return _complaint_about_text(verdict.mutation.content, steps, message)
    values = list(values_at(_read_all(verdict.mutation.content), steps))
    if not values:
        return "names a place that does not exist"
    missing = re.match(r"missing field `(\w+)`", message)
    if missing and all(any(values_at(value, (missing[1],))) for value in values):
        return "says that something is missing which is there"
    place = verdict.mutation.place
    return "" if _is_near(steps, place, message) else f"names another place than that of the change, {place}"


def _is_near(steps: Steps, place: Steps, message: str) -> bool:
    """Tell whether ``steps`` lead to the place of a change or into it, or where else it does harm."""
    if steps[: len(place)] == place or steps == place[:-1]:
        return True
    if place[-1:] == ("type",) or "is the closest)" in message:  # another class reads what stands beside it
        return steps[: len(place) - 1] == place[:-1]
    return any(place[: len(at)] == at and steps[: len(harmed)] == harmed for at, harmed in RELATED.items())


def _complaint_about_text(content: bytes, steps: Steps, message: str) -> str:
    """Return what is wrong with an error that says where the text is no JSON, or no text."""
    byte = re.search(r"at byte (\d+)$", message)
    if byte:
        return "" if int(byte[1]) < len(content) else "names a byte that does not exist"
    line, column = map(int, re.findall(r"\d+", message)[-2:])
    lines = content.decode().split("\n")
    if not (line <= len(lines) and column <= len(lines[line - 1]) + 1):
        return "names a line or a column that does not exist"
    before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]])
    if not all(isinstance(step, int) or step.strip("…") in before or "\\" in before for step in steps):
        return "names a place that is not before that line and column"
    return ""


# The tests ------------------------------------------------------------------------------------------------------------

SHOWN = 10


def check(changed: list[Mutation]) -> Counter[str]:
    """Compare the answers to ``changed`` files; return how many there are of each."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for verdict in verdicts(changed):
        reason = next((reason for reason, applies in EXCEPTIONS.items() if applies(verdict)), None)
        agrees = verdict.reference is verdict.target and not verdict.difference
        counts[verdict.reference.value if agrees else reason or "differs"] += 1
        if not agrees and reason is None:
            how = verdict.difference or f"the reference {verdict.reference.value}, the target {verdict.target.value}"
            wrong.append(f"{verdict.mutation.name}: {how}")
        elif verdict.reference is not Answer.READ and (objection := complaint(verdict)):
            wrong.append(f"{verdict.mutation.name}: {verdict.path}: {verdict.message}: {objection}")
    print(dict(counts))
    assert not wrong, f"{len(wrong)} of {len(changed)}, among them\n" + "\n".join(wrong[:SHOWN])
    assert sum(counts.values()) == len(changed)
    return counts


def test_a_sample_of_changed_files_is_answered_as_by_tokenizers() -> None:
    counts = check(changed := sample())
    assert len(changed) > AT_LEAST_SAMPLED
    assert min(counts[answer.value] for answer in (Answer.READ, Answer.REFUSED, Answer.PANICKED)) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUPS)
def test_changed_files_are_answered_as_by_tokenizers(name: str) -> None:
    assert check(list(GROUPS[name]())).total() >= AT_LEAST[name]


@pytest.mark.long_but(1)
@pytest.mark.parametrize("reason", EXCEPTIONS)
def test_exception_has_its_reason(reason: str) -> None:
    applies = EXCEPTIONS[reason]
    for _ in range(100):  # as the answer of the target may be a random one
        (verdict,) = verdicts([Mutation("example", EXAMPLES_OF_EXCEPTIONS[applies])])
        if verdict.reference is not verdict.target or verdict.difference:
            break
    else:
        pytest.fail("both answer alike")
    assert applies(verdict)


def test_every_component_is_changed_and_every_change_has_a_name() -> None:
    names = Counter(mutation.name for mutation in GROUPS["one change of a part"]())
    assert names.most_common(1)[0][1] == 1
    assert {name.split(",")[0] for name in names} == set(COMPLETE_DOCUMENTS)
    parts = str(COMPLETE_DOCUMENTS)
    assert [name for name in _component_names() if f"'{name}'" not in parts] == []


def _component_names() -> Iterator[str]:
    from tokenizer_reference import decoders, models, normalizers, pre_tokenizers, processors

    for package in (normalizers, pre_tokenizers, models, processors, decoders):
        yield from package.COMPONENTS


# Anything at all ------------------------------------------------------------------------------------------------------

NUMBERS = st.integers() | st.floats()
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda values: st.lists(values) | st.dictionaries(st.text(), values),
    max_leaves=8,
)
KEYS = sorted(
    {key for document in (WHOLE, *COMPLETE_DOCUMENTS.values()) for key in re.findall(r"'(\w+)':", str(document))}
)


@st.composite
def likely_documents(draw: st.DrawFn) -> Any:
    """Draw a document with some members replaced by others."""
    document = json.loads(json.dumps(draw(st.sampled_from([WHOLE, *COMPLETE_DOCUMENTS.values()]))))
    for _ in range(draw(st.integers(1, 3))):
        place = document
        while isinstance(place, dict | list) and place:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            key = draw(st.sampled_from(keys))
            if draw(st.booleans()) or not isinstance(place[key], dict | list):
                place[key] = draw(JSON)
                break
            place = place[key]
    return document


def check_refusal(read: Callable[[], Tokenizer]) -> None:
    try:
        read().to_str()
    except TokenizerFileError as error:
        assert error.path.startswith("$")
        assert error.message
        assert "\n" not in str(error)


@given(content=st.binary() | st.binary().map(lambda junk: b'{"version": "1.0", "model": ' + junk))
def test_bytes_are_read_or_refused(content: bytes) -> None:
    check_refusal(lambda: Tokenizer.from_buffer(content))


@given(text=st.text(st.characters(codec="utf-8") | st.sampled_from('{}[]",:\\udDfF80.'), max_size=60))
def test_text_is_read_or_refused(text: str) -> None:
    check_refusal(lambda: Tokenizer.from_str(text))


@given(document=JSON | st.dictionaries(st.sampled_from(KEYS), JSON) | likely_documents())
def test_json_is_read_or_refused(document: Any) -> None:
    check_refusal(lambda: Tokenizer.from_str(json.dumps(document)))
