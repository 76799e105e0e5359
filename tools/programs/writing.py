"""Random programs: components are made, shared, put into each other, changed, copied and used, in any order.

What a name stands for is known while a program is written only as far as its steps succeed; what fails leaves names
unbound, and later steps fail at these in both packages.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Final

from programs.left_out import still_of_its_class
from programs.material import (
    CONTENTS,
    CORPORA,
    GIVEN,
    LOOKS,
    NESTED,
    ONE_CHARACTER,
    OPTIONS,
    OTHERS,
    PADDING,
    PARTS,
    PLACED,
    PLAIN,
    TAKEN,
    TEXTS,
    TRAINERS,
    TRUNCATION,
)
from programs.step import Step
from tokenizer_conformance.inputs.random_tokenizers import random_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

SHORTEST, LONGEST = 5, 60
"""How many steps a program has, beside those that it begins with."""


@dataclass(slots=True)
class Names:
    """The names that a program has so far, by what they stand for."""

    by_sort: dict[str, list[str]] = field(default_factory=lambda: {sort: [] for sort in (*PARTS, *OTHERS)})
    classes: dict[str, str] = field(default_factory=dict)
    """The classes of names and of members of tokenizers, as far as they are known."""

    def new(self, sort: str, kind: str = "") -> str:
        """Return a name that is not there yet."""
        known = self.by_sort[sort]
        name = f"{sort}_{len(known) + 1}"
        known.append(name)
        self.classes[name] = kind
        return name

    def any(self, rng: Random, sort: str) -> str:
        """Return a name of that sort, often the first, so that it has a history; one of nothing where there is none."""
        known = self.by_sort[sort] or [f"{sort}_0"]
        return known[0] if rng.random() < 0.4 else rng.choice(known)

    def holder(self, rng: Random, sort: str) -> str:
        """Return an expression that gives a component: a name, or a member of a tokenizer."""
        if rng.random() < 0.05:
            return f"{self.any(rng, 'tokenizer')}.{sort}"
        parts = [holder for holder, kind in self.classes.items() if kind and holder.endswith(f".{sort}")]
        return rng.choice(parts) if parts and rng.random() < 0.35 else self.any(rng, sort)

    def sequence(self, rng: Random, sort: str) -> str:
        """Return an expression that gives a Sequence, if there is one."""
        ends = sort, *self.by_sort[sort]
        known = [holder for holder, kind in self.classes.items() if kind.endswith("Sequence") and holder.endswith(ends)]
        return rng.choice(known) if known and rng.random() < 0.9 else self.holder(rng, sort)


Write = Callable[[Random, Names], Step | tuple[Step, ...]]


# Making --------------------------------------------------------------------------------------------------------------


def _make(rng: Random, names: Names) -> Step:
    return _component_of(rng, names, rng.choice((*PARTS, *PLACED)))


def _component_of(rng: Random, names: Names, sort: str) -> Step:
    code = f"{PARTS[sort]}.{rng.choice(PLAIN[sort])}"
    kind = f"{PARTS[sort]}.Custom" if ".custom(" in code else code.partition("(")[0]
    return Step(f"make a {sort}", f"{names.new(sort, kind)} = {code}")


def _make_sequence(rng: Random, names: Names) -> Step:
    return _sequence_of(rng, names, rng.choice((*PLACED, *PLACED, "decoder")))


def _sequence_of(rng: Random, names: Names, sort: str) -> Step:
    members = [names.holder(rng, sort) for _ in range(rng.choice((0, 1, 2, 2, 3)))]
    if rng.random() < 0.05:
        members.append("None")
    sequence = f"{PARTS[sort]}.Sequence"
    return Step("make a Sequence", f"{names.new(sort, sequence)} = {sequence}([{', '.join(members)}])")


def _make_of_a_collection(rng: Random, names: Names) -> Step:
    sort, call, given = rng.choice(GIVEN)
    module = PARTS.get(sort, "trainers")
    name = names.new(sort, f"{module}.{call.partition('(')[0]}")
    return Step("make of what is changed then", f"given = {given}\n{name} = {module}.{call}\ngiven.clear()")


def _make_tokenizer(rng: Random, names: Names) -> Step:
    model = names.any(rng, "model")
    return Step("make a tokenizer", f"{names.new('tokenizer')} = Tokenizer({model})")


def _read_tokenizer(rng: Random, names: Names) -> Step:
    document = random_document(rng).json
    name = names.new("tokenizer")
    for sort in PARTS:
        component = document.get(sort)
        if isinstance(component, dict) and isinstance(kind := component.get("type"), str):
            names.classes[f"{name}.{sort}"] = f"{PARTS[sort]}.{kind}"
    text = json.dumps(document)
    if rng.random() < 0.03:
        text = text[:-1]
    return Step("read a tokenizer", f"{name} = Tokenizer.from_str({text!r})")


def _read_nested(rng: Random, names: Names) -> Step:
    sort = rng.choice(PLACED)
    document = {"model": {"type": "WordLevel", "vocab": {}, "unk_token": "?"}, **NESTED}
    place = rng.choice(("", "[0]"))
    code = f"Tokenizer.from_str({json.dumps(document)!r}).{sort}{place}"
    return Step("read sequences in a sequence", f"{names.new(sort, f'{PARTS[sort]}.Sequence')} = {code}")


def _make_trainer(rng: Random, names: Names) -> Step:
    if rng.random() < 0.2:
        model = names.holder(rng, "model")
        name = names.new("trainer")
        return Step("get a trainer", f"{name} = {model}.get_trainer()\n{name}.show_progress = False")
    return Step("make a trainer", f"{names.new('trainer')} = trainers.{rng.choice(TRAINERS)}")


# Sharing -------------------------------------------------------------------------------------------------------------


def _assign(rng: Random, names: Names) -> Step:
    sort = rng.choice(tuple(PARTS))
    tokenizer, value = names.any(rng, "tokenizer"), names.holder(rng, sort)
    if rng.random() < 0.15:
        value = rng.choice(("None", "None", "3", "Lower()", names.any(rng, rng.choice(tuple(PARTS)))))
    elif sort == "normalizer" and rng.random() < 0.2:
        value = "normalizers.Normalizer.custom(Half())"
    names.classes[f"{tokenizer}.{sort}"] = names.classes.get(value, "")
    doubts = (("forms at random", tokenizer, value),) if sort == "normalizer" else ()
    return Step(f"assign a {sort}", f"{tokenizer}.{sort} = {value}", doubts, locks=True)


def _take_part(rng: Random, names: Names) -> Step:
    sort = rng.choice(tuple(PARTS))
    holder = f"{names.any(rng, 'tokenizer')}.{sort}"
    name = names.new(sort, names.classes.get(holder, ""))
    return Step("take a part of a tokenizer", f"{name} = {holder}", (("no part", holder),))


def _take_member(rng: Random, names: Names) -> Step:
    sort = rng.choice(PLACED)
    sequence, index = names.sequence(rng, sort), rng.choice((0, 0, 1, 2, 9, -1))
    return Step("take a member", f"{names.new(sort)} = {sequence}[{index}]", (("inner sequence", sequence),))


def _put_member(rng: Random, names: Names) -> Step:
    sort = rng.choice(PLACED)
    sequence, index = names.sequence(rng, sort), rng.choice((0, 0, 0, 0, 1, 1, 2, -1))
    single = [name for name in names.by_sort[sort] if not names.classes[name].endswith("Sequence")]
    value = rng.choice(single) if rng.random() < 0.8 else names.holder(rng, sort)
    if rng.random() < 0.05:
        value = rng.choice(("None", "3"))
    doubts = (("own place", sequence, str(index), value), ("inner sequence", sequence))
    return Step("put a member", f"{sequence}[{index}] = {value}", doubts)


def _copy_of(rng: Random, names: Names) -> Step:
    sort = rng.choice((*PARTS, *PARTS, "tokenizer", "tokenizer", "tokenizer", "trainer"))
    original = names.any(rng, sort) if sort in ("tokenizer", "trainer") else names.holder(rng, sort)
    way = rng.choice(("copy.copy({})", "copy.deepcopy({})", "pickle.loads(pickle.dumps({}))"))
    kind = names.classes.get(original, "")
    code = f"{names.new(sort, kind)} = {way.format(original)}"
    doubts = (("no copy", original), still_of_its_class(original))
    return Step(f"copy a {'tokenizer' if sort == 'tokenizer' else 'component'}", code, doubts)


def _members_copied_together(rng: Random, names: Names) -> Step:
    """Copy two things at once: whether what they share is shared by the copies."""
    sort = rng.choice(PLACED)
    first, second = names.any(rng, sort), names.sequence(rng, sort)
    way = rng.choice(("copy.deepcopy({})", "pickle.loads(pickle.dumps({}))"))
    code = f"{names.new(sort)}, {names.new(sort)} = {way.format(f'[{first}, {second}]')}"
    doubts = tuple(doubt for each in (first, second) for doubt in (("no copy", each), still_of_its_class(each)))
    return Step("copy components together", code, doubts)


# Changing ------------------------------------------------------------------------------------------------------------


def _set_option(rng: Random, names: Names) -> Step:
    known = [holder for holder, kind in names.classes.items() if OPTIONS.get(kind)]
    if not known:
        return _make(rng, names)
    holder = rng.choice(known)
    options = OPTIONS[names.classes[holder]]
    option = rng.choice(tuple(options))
    doubts = (("no option", holder, repr(option)), still_of_its_class(holder))
    if rng.random() < 0.3:
        return Step("read an option", f"{holder}.{option}", doubts)
    change = f"{holder}.{option} = {rng.choice(options[option])}"
    if names.classes[holder] == "models.BPE":
        change += f"\nforget_words({holder})"
    return Step("set an option", change, doubts)


def _add_tokens(rng: Random, names: Names) -> Step:
    tokenizer = names.any(rng, "tokenizer")
    method = rng.choice(("add_tokens", "add_tokens", "add_special_tokens"))
    tokens = [_added_token(rng, names) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.2:
        tokens += rng.choice((["'B'"], ["'Q'", "'B'"], ["'a'", "AddedToken('b')"], ["3"]))
    return Step("add tokens", f"{tokenizer}.{method}([{', '.join(tokens)}])", locks=True)


def _add_in_vain(rng: Random, names: Names) -> tuple[Step, ...]:
    """Fail at the last of some tokens, and ask at once which of them are found."""
    tokenizer, normalizer = names.any(rng, "tokenizer"), "normalizers.Normalizer.custom(Half())"
    tokens = rng.sample(("a", "Q", "<s>", "12", "é"), k=rng.randint(1, 3))
    doubts = (("forms at random", tokenizer, normalizer),)
    setting = Step("assign a normalizer", f"{tokenizer}.normalizer = {normalizer}", doubts, locks=True)
    adding = Step("add tokens in vain", f"{tokenizer}.add_tokens({[*tokens, 'B']})", locks=True)
    encoding = Step("encode", f"{tokenizer}.encode({'-'.join(tokens)!r})", (("one form twice", tokenizer),))
    return (setting, adding, encoding) if rng.random() < 0.7 else (adding, encoding)


def _added_token(rng: Random, names: Names) -> str:
    if rng.random() < 0.15 and names.by_sort["added_token"]:
        return names.any(rng, "added_token")
    content = repr(rng.choice(CONTENTS))
    if rng.random() < 0.5:
        return content
    flags = [
        f"{name}={rng.choice((True, False))}"
        for name in ("normalized", "special", "single_word", "lstrip", "rstrip")
        if rng.random() < 0.4
    ]
    return f"AddedToken({', '.join([content, *flags])})"


def _make_added_token(rng: Random, names: Names) -> Step:
    token = f"AddedToken({rng.choice(CONTENTS)!r}, normalized={rng.choice((True, False))})"
    return Step("make an added token", f"{names.new('added_token')} = {token}")


def _change_added_token(rng: Random, names: Names) -> Step:
    """Change one that tokenizers may have been given, or look at what became of it."""
    if not names.by_sort["added_token"]:
        return _make_added_token(rng, names)
    token = names.any(rng, "added_token")
    changes = f"{token}.content = {rng.choice(CONTENTS)!r}", f"{token}.special = {rng.choice((True, False, 1))}"
    return Step("change an added token", rng.choice((*changes, f"[{token}, {token}.special]")))


def _change_trainer(rng: Random, names: Names) -> Step:
    option = rng.choice(
        (
            "vocab_size = 3",
            "vocab_size = -1",
            "special_tokens = ['b', AddedToken('[X]')]",
            "special_tokens = [3]",
            "min_frequency = 2",
        )
    )
    return Step("set an option of a trainer", f"{names.any(rng, 'trainer')}.{option}")


def _change_what_was_got(rng: Random, names: Names) -> Step:
    sort = rng.choice(tuple(TAKEN))
    name, taken = names.any(rng, sort), rng.choice(TAKEN[sort])
    return Step("change what was got", f"got = {name}.{taken}\ngot.clear()\n{name}.{taken}")


def _change_parts_of_an_encoding(rng: Random, names: Names) -> Step:
    encoding = names.any(rng, "encoding")
    code = f"[[part.pad(9) for part in {encoding}.overflowing], {encoding}.overflowing, {encoding}]"
    return Step("change parts of an encoding", code)


def _set_special(rng: Random, names: Names) -> Step:
    value = rng.choice(("True", "True", "False", "False", "None"))
    return Step("set encode_special_tokens", f"{names.any(rng, 'tokenizer')}.encode_special_tokens = {value}")


def _truncation(rng: Random, names: Names) -> Step:
    arguments = {"max_length": rng.choice((0, 1, 2, 3, 4, 10)), **_some(rng, TRUNCATION)}
    _spoil(rng, arguments, {"max_length": -1, "stride": -1, "strategy": "no", "direction": "up"})
    return _set_lengths(rng, names, "truncation", arguments)


def _padding(rng: Random, names: Names) -> Step:
    arguments = _some(rng, PADDING)
    _spoil(rng, arguments, {"length": -1, "direction": "up", "pad_id": "a", "pad_token": 3, "pad_to_multiple_of": 0.5})
    return _set_lengths(rng, names, "padding", arguments)


def _some(rng: Random, options: Mapping[str, Sequence[object]]) -> dict[str, object]:
    return {name: rng.choice(values) for name, values in options.items() if rng.random() < 0.4}


def _spoil(rng: Random, arguments: dict[str, object], bad: Mapping[str, object]) -> None:
    if rng.random() < 0.15:
        name = rng.choice(tuple(bad))
        arguments[name] = bad[name]


def _set_lengths(rng: Random, names: Names, what: str, arguments: Mapping[str, object]) -> Step:
    tokenizer = names.any(rng, "tokenizer")
    shown = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    call = f"no_{what}()" if rng.random() < 0.2 else f"enable_{what}({shown})"
    return Step(f"set {what}", f"{tokenizer}.{call}\n{tokenizer}.{what}", locks=True)


def _train(rng: Random, names: Names) -> Step:
    tokenizer = names.any(rng, "tokenizer")
    texts = repr(list(rng.choice((*CORPORA, *ONE_CHARACTER * 2))))
    corpus = rng.choice((*[texts] * 6, f"breaking_off({texts})", f"[*{texts}, 3]", "3", f"[{texts}, 'aa']"))
    trainer = "" if rng.random() < 0.5 else f", {names.any(rng, 'trainer')}"
    code = f"""\
try:
    {tokenizer}.train_from_iterator({corpus}{trainer})
finally:
    forget_words({tokenizer}.model)"""
    doubts = (("one form twice", tokenizer), ("drawn ids", tokenizer, f"[*{texts}, 'aa']"))
    return Step("train", code, doubts, locks=True)


def _set_state(rng: Random, names: Names) -> Step:
    tokenizer, other = names.any(rng, "tokenizer"), names.any(rng, "tokenizer")
    state = f"{other}.__getstate__()" if rng.random() < 0.8 else "b'{}'"
    return Step("set the state of a tokenizer", f"{tokenizer}.__setstate__({state})", locks=True)


# Using ---------------------------------------------------------------------------------------------------------------


def _text(rng: Random) -> str:
    return repr(rng.choice(TEXTS))


def _encode(rng: Random, names: Names) -> Step:
    tokenizer = names.any(rng, "tokenizer")
    pair = f", {_text(rng)}" if rng.random() < 0.2 else ""
    options = ", add_special_tokens=False" if rng.random() < 0.3 else ""
    text = _text(rng) if rng.random() < 0.97 else rng.choice(("3", "None", "['a']"))
    return Step("encode", f"{tokenizer}.encode({text}{pair}{options})", (("one form twice", tokenizer),))


def _encode_batch(rng: Random, names: Names) -> Step:
    tokenizer = names.any(rng, "tokenizer")
    inputs = [_text(rng) if rng.random() < 0.8 else f"({_text(rng)}, {_text(rng)})" for _ in range(rng.randint(0, 3))]
    method = rng.choice(("encode_batch", "encode_batch", "encode_batch_fast"))
    return Step("encode a batch", f"{tokenizer}.{method}([{', '.join(inputs)}])", (("one form twice", tokenizer),))


def _keep_encoding(rng: Random, names: Names) -> Step:
    tokenizer = names.any(rng, "tokenizer")
    name = names.new("encoding")
    code = f"{name} = {tokenizer}.encode({_text(rng)}, add_special_tokens=False)\n{name}"
    return Step("keep an encoding", code, (("one form twice", tokenizer),))


def _post_process(rng: Random, names: Names) -> Step:
    if not names.by_sort["encoding"]:
        return _keep_encoding(rng, names)
    encodings = ", ".join(names.any(rng, "encoding") for _ in range(rng.choice((1, 1, 2))))
    return Step(
        "post-process", f"[{names.any(rng, 'tokenizer')}.post_process({encodings}), {names.any(rng, 'encoding')}]"
    )


def _encode_words(rng: Random, names: Names) -> Step:
    tokenizer, words = names.any(rng, "tokenizer"), rng.choice(TEXTS).split(" ")
    code = f"{tokenizer}.encode({words!r}, is_pretokenized=True)"
    return Step("encode words", code, (("one form twice", tokenizer),))


def _change_encoding(rng: Random, names: Names) -> Step:
    if not names.by_sort["encoding"]:
        return _keep_encoding(rng, names)
    encoding, other = (names.any(rng, "encoding") for _ in range(2))
    calls = (
        f"{encoding}.pad({rng.randint(-1, 9)})",
        f"{encoding}.truncate({rng.randint(0, 3)}, stride={rng.randint(0, 2)})",
        f"{encoding}.set_sequence_id({rng.randint(0, 2)})",
        f"Encoding.merge([{encoding}, {other}])",
        f"{encoding}.overflowing",
        f"{encoding}.__setstate__({other}.__getstate__())",
        f"copy.copy({encoding}).pad(9)",
    )
    return Step("change an encoding", f"[{rng.choice(calls)}, {encoding}]")


def _normalize_text(rng: Random, names: Names) -> Step:
    """Normalize a text in place, or look at what is left of it: also where that failed."""
    if not names.by_sort["text"] or rng.random() < 0.2:
        return Step("make a text", f"{names.new('text')} = NormalizedString({_text(rng)})")
    text = names.any(rng, "text")
    if rng.random() < 0.4:
        return Step("look at a text", text)
    return Step("normalize a text", f"{names.holder(rng, 'normalizer')}.normalize({text})", locks=True)


def _cut_text(rng: Random, names: Names) -> Step:
    """Cut a text in place, or look at what is left of it: also where that failed."""
    if not names.by_sort["cut_text"] or rng.random() < 0.2:
        return Step("make a text to cut", f"{names.new('cut_text')} = PreTokenizedString({_text(rng)})")
    text = names.any(rng, "cut_text")
    if rng.random() < 0.4:
        return Step("look at a cut text", f"{text}.get_splits()")
    return Step("cut a text", f"{names.holder(rng, 'pre_tokenizer')}.pre_tokenize({text})", locks=True)


def _stream(rng: Random, names: Names) -> Step:
    if not names.by_sort["stream"] or rng.random() < 0.3:
        code = f"decoders.DecodeStream(skip_special_tokens={rng.random() < 0.5})"
        return Step("make a stream", f"{names.new('stream')} = {code}")
    ids = [rng.randint(0, 9) for _ in range(rng.randint(0, 3))]
    given = rng.choice((ids, ids, 3, -1))
    return Step("step of a stream", f"{names.any(rng, 'stream')}.step({names.any(rng, 'tokenizer')}, {given})")


def _decode(rng: Random, names: Names) -> Step:
    def ids() -> list[int]:
        return [rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 9, 12, 30)) for _ in range(rng.randint(0, 5))]

    call = (
        f"decode({ids()}, skip_special_tokens={rng.random() < 0.5})"
        if rng.random() < 0.7
        else f"decode_batch([{ids()}, {ids()}])"
    )
    if rng.random() < 0.03:
        call = "decode(['a'])"
    return Step("decode", f"{names.any(rng, 'tokenizer')}.{call}")


def _use_component(rng: Random, names: Names) -> Step:
    sort = rng.choice(("normalizer", "pre_tokenizer", "decoder", "model"))
    call = {
        "normalizer": f"normalize_str({_text(rng)})",
        "pre_tokenizer": f"pre_tokenize_str({_text(rng)})",
        "decoder": f"decode(['a', 'B b', 'ab', '▁'][{rng.randint(0, 3)}:])",
        "model": f"tokenize({_text(rng)})",
    }[sort]
    return Step("use a component", f"{names.holder(rng, sort)}.{call}")


def _look_at_component(rng: Random, names: Names) -> Step:
    sort = rng.choice(tuple(PARTS))
    look = rng.choice(("repr({})", "str({})", "{}.__getstate__()"))
    return Step("look at a component", look.format(names.holder(rng, sort)))


def _look_at_tokenizer(rng: Random, names: Names) -> Step:
    look = rng.choice((*LOOKS, f"{{}}.token_to_id({rng.choice(CONTENTS)!r})"))
    return Step("look at a tokenizer", look.format(names.any(rng, "tokenizer")))


def _look_at_trainer(rng: Random, names: Names) -> Step:
    look = rng.choice(("json.loads({}.__getstate__())", "{}.special_tokens", "{}.vocab_size"))
    return Step("look at a trainer", look.format(names.any(rng, "trainer")))


KINDS: Final[Mapping[Write, int]] = {
    _make: 6,
    _make_sequence: 5,
    _make_of_a_collection: 2,
    _make_tokenizer: 3,
    _read_tokenizer: 1,
    _read_nested: 1,
    _make_trainer: 3,
    _assign: 12,
    _take_part: 4,
    _take_member: 5,
    _put_member: 7,
    _copy_of: 6,
    _members_copied_together: 1,
    _set_option: 10,
    _add_tokens: 8,
    _add_in_vain: 2,
    _make_added_token: 1,
    _change_added_token: 2,
    _change_trainer: 1,
    _change_what_was_got: 2,
    _change_parts_of_an_encoding: 1,
    _set_special: 1,
    _truncation: 3,
    _padding: 3,
    _train: 6,
    _set_state: 1,
    _encode: 12,
    _encode_batch: 4,
    _keep_encoding: 2,
    _encode_words: 2,
    _change_encoding: 2,
    _normalize_text: 5,
    _cut_text: 5,
    _stream: 3,
    _post_process: 2,
    _decode: 5,
    _use_component: 6,
    _look_at_component: 6,
    _look_at_tokenizer: 12,
    _look_at_trainer: 1,
}
"""What writes a step, and how often."""


def program(seed: str, number: int) -> tuple[Step, ...]:
    """Return the program of that number; it depends on nothing else."""
    rng = Random(f"{seed} {number}")
    return tuple(_steps(rng, rng.randint(SHORTEST, LONGEST)))


def _steps(rng: Random, count: int) -> Iterator[Step]:
    names = Names()
    for sort in (*PARTS, *PLACED):
        yield _component_of(rng, names, sort)
    for sort in PLACED:
        yield _sequence_of(rng, names, sort)
    yield _make_tokenizer(rng, names)
    for write in rng.choices((_assign, _assign, _add_tokens), k=rng.randint(0, 5)):
        yield write(rng, names)
    yield _make_trainer(rng, names)
    for write in rng.choices(tuple(KINDS), tuple(KINDS.values()), k=count):
        written = write(rng, names)
        yield from written if isinstance(written, tuple) else (written,)
