"""Stages: every class registers itself once, and nothing that a user writes takes its place."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from tokenizer_reference import decoders, models, normalizers, pre_tokenizers, processors, trainers
from tokenizer_reference.component import Component
from tokenizer_reference.decoders.base import DECODER
from tokenizer_reference.json_text.value import JsonValue
from tokenizer_reference.models.base import MODEL
from tokenizer_reference.normalizers.base import NORMALIZER
from tokenizer_reference.pre_tokenizers.base import PRE_TOKENIZER
from tokenizer_reference.processors.base import POST_PROCESSOR
from tokenizer_reference.stage import Registry, Stage
from tokenizer_reference.trainers.base import TRAINERS

REGISTRIES: list[tuple[Any, Registry[Any]]] = [
    (normalizers, NORMALIZER),
    (pre_tokenizers, PRE_TOKENIZER),
    (models, MODEL),
    (processors, POST_PROCESSOR),
    (decoders, DECODER),
    (trainers, TRAINERS),
]


@pytest.mark.parametrize(("package", "registry"), REGISTRIES, ids=lambda each: getattr(each, "__name__", ""))
def test_a_package_offers_the_classes_of_its_registry(package: Any, registry: Registry[Any]) -> None:
    assert list(registry.components) == list(registry.names) == list(package.COMPONENTS)
    assert all(getattr(package, name) is component for name, component in registry.components.items())


def test_a_class_is_registered_once_and_under_an_expected_name() -> None:
    stage: Stage[Component] = Stage("stage", "First", "Second")
    first = stage.component()(type("First", (Component,), {}))
    with pytest.raises(ValueError, match="First cannot be registered; expected one each of First, Second"):
        stage.component()(type("First", (Component,), {}))
    with pytest.raises(ValueError, match="Third cannot be registered"):
        stage.component()(type("Third", (Component,), {}))
    with pytest.raises(KeyError, match="Second"):
        _ = stage.components
    second = stage.component()(type("Second", (Component,), {}))
    assert stage.components == {"First": first, "Second": second}
    assert type(stage.read(JsonValue({"type": "Second"}))) is second


def test_a_users_class_of_the_same_name_is_not_read_from_files() -> None:
    class Strip(normalizers.Strip):
        """A class of a user."""

    assert issubclass(Strip, normalizers.Strip)
    assert type(pickle.loads(pickle.dumps(normalizers.Strip()))) is normalizers.Strip


@pytest.mark.parametrize("name", models.COMPONENTS)
def test_a_users_model_has_the_trainer_of_its_base(name: str) -> None:
    base = models.COMPONENTS[name]
    own: Any = type("Own", (base,), {})
    assert type(own().get_trainer()) is type(base().get_trainer()) is trainers.COMPONENTS[f"{_stem(name)}Trainer"]


def _stem(name: str) -> str:
    return "Bpe" if name == "BPE" else name
