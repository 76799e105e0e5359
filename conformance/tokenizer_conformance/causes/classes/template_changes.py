"""Changes of post-processors: what they put around texts, and of which type it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tokenizer_conformance.causes.classes.component_changes import flag

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tokenizer_conformance.causes.classes.component_changes import Change, Changes, Json


def _is_text(item: Json) -> bool:
    return "Sequence" in item


_SHORTENINGS: tuple[tuple[str, Callable[[list[Json]], list[Json]]], ...] = (
    ("nothing around the text", lambda items: [*filter(_is_text, items)]),
    ("nothing before the text", lambda items: items if any(map(_is_text, items[:1])) else items[1:]),
    ("nothing behind the text", lambda items: items if any(map(_is_text, items[-1:])) else items[:-1]),
)
"""What a template may lack; of a pair, before its first text and behind its last."""


def _other_templates(component: Json) -> Iterator[Change]:
    single, pair = component.get("single") or [], component.get("pair") or []

    for words, shortened in _SHORTENINGS:
        if shortened(single) != single:
            templates = {"single": shortened(single), "pair": shortened(pair)}
            yield "special-token-handling", f"TemplateProcessing {words}", {**component, **templates}
    yield from _first_before_each(component)
    yield from _shorter_templates(component)
    for type_id in (0, 1):
        changed = [_typed(item, type_id) if "B" in str(item.get("Sequence")) else item for item in pair]
        if changed != pair:
            yield "pair-handling", f"TemplateProcessing the second text has type {type_id}", {
                **component, "pair": changed,
            }  # fmt: skip
    first = next((at for at, item in enumerate(pair) if "B" in str(item.get("Sequence"))), len(pair))
    changed = [*pair[:first], *(_typed(item, 1) for item in pair[first:])]
    if changed != pair:
        yield "pair-handling", "TemplateProcessing the second text and what follows have type 1", {
            **component, "pair": changed,
        }  # fmt: skip


def _first_before_each(component: Json) -> Iterator[Change]:
    """Give a template that has nothing but its first token, before each text."""
    single = component.get("single") or []
    if not any("SpecialToken" in item for item in single[:1]):
        return
    first, text = single[0], next(filter(_is_text, single), None)
    if text is None:
        return
    alone = [first, text]
    for type_id, words in ((0, ""), (1, ", the second with type 1")):
        second = [_typed(first, type_id), _typed({"Sequence": {**text["Sequence"], "id": "B"}}, type_id)]
        templates = {"single": alone, "pair": [*alone, *second]}
        made = {**component, **templates}
        if made != component:
            yield "special-token-handling", f"TemplateProcessing only its first token, before each text{words}", made


def _shorter_templates(component: Json) -> Iterator[Change]:
    """Give a template that lacks what is at one of its ends, or one token of pairs, or has the texts exchanged."""
    single, pair = component.get("single") or [], component.get("pair") or []
    for words, at in (("nothing at the beginning", 0), ("nothing at the end", -1)):
        both = {"single": _without_token(single, at), "pair": _without_token(pair, at)}
        if both != {"single": single, "pair": pair}:
            yield "special-token-handling", f"TemplateProcessing {words}", {**component, **both}
    tokens = [at for at, item in enumerate(pair) if "SpecialToken" in item]
    for number, at in enumerate(tokens, start=1):
        changed = _without_token(pair, at)
        yield "pair-handling", f"TemplateProcessing special token {number} of {len(tokens)} of a pair is missing", {
            **component, "pair": changed,
        }  # fmt: skip
    typed = {
        kind: [_typed(item, 0) if "SpecialToken" in item else item for item in items]
        for kind, items in (("single", single), ("pair", pair))
    }
    if typed != {"single": single, "pair": pair}:
        yield "pair-handling", "TemplateProcessing special tokens have type 0", {**component, **typed}
    if any("Sequence" in item for item in pair):
        yield "pair-handling", "TemplateProcessing the texts in the other order", {
            **component, "pair": [_of_other_text(item) for item in pair],
        }  # fmt: skip


def _without_token(items: list[Json], at: int) -> list[Json]:
    """Return a template without the special token ``at`` a place; as it is where there is none."""
    if not items or "SpecialToken" not in items[at]:
        return items
    return [item for item in items if item is not items[at]]


def _of_other_text(item: Json) -> Json:
    text = item.get("Sequence")
    return item if text is None else {"Sequence": {**text, "id": "A" if text["id"] == "B" else "B"}}


def _as_template(component: Json) -> Iterator[Change]:
    """Give what lacks a token of a processor, as the template that it is."""
    cls, sep = component["cls"], component["sep"]
    is_roberta = component["type"] == "RobertaProcessing"
    last = 0 if is_roberta else 1
    second = [_text_of("B", last), _token(sep, last)]
    single = [_token(cls, 0), _text_of("A", 0), _token(sep, 0)]
    plain = {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, *([_token(sep, 0)] if is_roberta else []), *second],
        "special_tokens": {name: {"id": name, "ids": [id_], "tokens": [name]} for name, id_ in (cls, sep)},
    }
    for name, words, template in _shorter_templates(plain):
        made = template
        if component.get("trim_offsets"):
            trimming = {"type": "ByteLevel", "add_prefix_space": component.get("add_prefix_space", True),
                        "trim_offsets": True, "use_regex": True}  # fmt: skip
            made = {"type": "Sequence", "processors": [trimming, template]}
        yield name, words.replace("TemplateProcessing", component["type"]), made


def _token(token: tuple[str, int], type_id: int) -> Json:
    return {"SpecialToken": {"id": token[0], "type_id": type_id}}


def _text_of(name: str, type_id: int) -> Json:
    return {"Sequence": {"id": name, "type_id": type_id}}


def _typed(item: Json, type_id: int) -> Json:
    return {key: {**value, "type_id": type_id} for key, value in item.items()}


def _roberta_as_bert(component: Json) -> Iterator[Change]:
    cls, sep = component.get("cls"), component.get("sep")
    if cls and sep:
        plain = {key: value for key, value in component.items() if key in {"cls", "sep"}}
        yield "pair-handling", "RobertaProcessing -> BertProcessing", {**plain, "type": "BertProcessing"}


def _tokens_exchanged(component: Json) -> Iterator[Change]:
    """Give a processor that puts one of its tokens in the place of the other."""
    cls, sep = component.get("cls"), component.get("sep")
    for words, first, last in (
        ("cls and sep exchanged", sep, cls),
        ("cls for sep", cls, cls),
        ("sep for cls", sep, sep),
    ):
        if cls != sep:
            yield "special-token-handling", f"{component['type']} {words}", {**component, "cls": first, "sep": last}


def _bert_as_roberta(component: Json) -> Iterator[Change]:
    yield "pair-handling", "BertProcessing -> RobertaProcessing", {
        **component, "type": "RobertaProcessing", "trim_offsets": False, "add_prefix_space": False,
    }  # fmt: skip


TEMPLATE_CHANGES: dict[str, tuple[Changes, ...]] = {
    "TemplateProcessing": (_other_templates,),
    "RobertaProcessing": (
        flag("offset-convention", "trim_offsets", True, False),
        flag("prefix-space-policy", "add_prefix_space", True, False),
        _roberta_as_bert,
        _tokens_exchanged,
        _as_template,
    ),
    "BertProcessing": (_bert_as_roberta, _tokens_exchanged, _as_template),
}
"""The changes of post-processors, by their types."""
