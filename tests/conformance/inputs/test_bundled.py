"""The bundled tokenizers load, are what they are said to be, and come from their corpus by their script."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import train_bundled_tokenizers as script
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.bundled import bundled_file, bundled_names, named

if TYPE_CHECKING:
    from pathlib import Path

PUBLISHED = ("gpt2-mini", "bert-mini", "xlnet-mini")
"""Those with the pipeline of a published checkpoint."""

FIRST = (
    *PUBLISHED,
    "roberta-mini",
    "llama-mini",
    "t5-mini",
    "options-mini",
    "wordlevel-mini",
    "gpt1-mini",
    "rare-mini",
)

TODAY = ("llama3-mini", "o200k-mini", "qwen-mini", "tekken-mini", "deepseek-mini", "gemma-mini")

NAMES = FIRST + TODAY


def content(name: str) -> dict[str, Any]:
    return json.loads(bundled_file(name).read_text(encoding="utf-8"))


# What is bundled ------------------------------------------------------------------------------------------------------


def test_these_tokenizers_are_bundled() -> None:
    assert bundled_names() == NAMES


def test_the_first_are_taken_where_none_is_named_and_one_word_names_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert named(()) == FIRST
    assert named(("bundled", "bert-mini", "mine")) == (*NAMES, "mine")
    (tmp_path / "bundled").mkdir()
    assert named(("bundled",)) == ("bundled",)


def test_an_unknown_name_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(BadInputError) as caught:
        bundled_file("gpt-mini")
    assert str(caught.value) == (
        f"no bundled tokenizer is called 'gpt-mini'; did you mean 'gpt2-mini'? (bundled: {', '.join(NAMES)})"
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_small_and_as_the_library_writes_it(name: str) -> None:
    file = bundled_file(name)
    assert file.stat().st_size < 150_000
    assert file.read_text(encoding="utf-8") == Tokenizer.from_file(str(file)).to_str(pretty=True) + "\n"


@pytest.mark.parametrize(
    ("name", "model", "size", "added"),
    [
        ("gpt2-mini", "BPE", 2000, 0),
        ("bert-mini", "WordPiece", 1985, 0),
        ("xlnet-mini", "Unigram", 2000, 0),
        ("roberta-mini", "BPE", 605, 0),
        ("llama-mini", "BPE", 643, 0),
        ("t5-mini", "Unigram", 903, 2),
        ("options-mini", "WordPiece", 1011, 9),
        ("wordlevel-mini", "WordLevel", 404, 0),
        ("gpt1-mini", "BPE", 501, 0),
        ("rare-mini", "WordLevel", 404, 0),
        ("llama3-mini", "BPE", 567, 16),
        ("o200k-mini", "BPE", 562, 0),
        ("qwen-mini", "BPE", 560, 7),
        ("tekken-mini", "BPE", 607, 0),
        ("deepseek-mini", "BPE", 563, 14),
        ("gemma-mini", "BPE", 773, 0),
    ],
)
def test_model_and_size_of_the_vocabulary(name: str, model: str, size: int, added: int) -> None:
    tokenizer = Tokenizer.from_file(str(bundled_file(name)))
    assert type(tokenizer.model).__name__ == model
    assert tokenizer.get_vocab_size(with_added_tokens=False) == size
    assert tokenizer.get_vocab_size(with_added_tokens=True) == size + added
    assert sorted(tokenizer.get_vocab().values()) == list(range(size + added))


def test_each_of_the_others_has_what_the_published_lack() -> None:
    """Options that a fault can overlook: what each stands for is in the fakes ``port_faults``."""
    options = content("options-mini")
    assert options["truncation"] == {"direction": "Left", "max_length": 32, "strategy": "LongestFirst", "stride": 4}
    assert options["padding"]["direction"] == "Left"
    assert options["padding"]["pad_to_multiple_of"] == 8
    for flag in ("single_word", "lstrip", "rstrip", "normalized", "special"):
        assert {token[flag] for token in options["added_tokens"]} == {False, True}
    assert options["post_processor"]["special_tokens"]["[CLS]"]["tokens"] == ["[CLS]", "[TASK]"]
    roberta = content("roberta-mini")["post_processor"]
    assert (roberta["type"], roberta["trim_offsets"], roberta["add_prefix_space"]) == ("RobertaProcessing", True, True)
    llama = content("llama-mini")
    assert llama["model"]["byte_fallback"]
    assert llama["model"]["fuse_unk"]
    assert "<0xEF>" in llama["model"]["vocab"]
    assert "<0xF0>" not in llama["model"]["vocab"]
    assert content("t5-mini")["normalizer"]["normalizers"][0]["type"] == "Precompiled"
    kinds = [part["type"] for part in content("wordlevel-mini")["pre_tokenizer"]["pretokenizers"]]
    assert kinds == ["UnicodeScripts", "WhitespaceSplit", "Punctuation", "Digits", "Split"]


@pytest.mark.parametrize(
    ("name", "special_tokens"),
    [
        ("gpt2-mini", {"<|endoftext|>": 1999}),
        ("bert-mini", {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4}),
        (
            "xlnet-mini",
            {"<unk>": 0, "<s>": 1, "</s>": 2, "<cls>": 3, "<sep>": 4, "<pad>": 5, "<mask>": 6, "<eod>": 7, "<eop>": 8},
        ),
    ],
)
def test_special_tokens_have_the_ids_of_the_added_tokens_list(name: str, special_tokens: dict[str, int]) -> None:
    listed = content(name)["added_tokens"]
    assert {token["content"]: token["id"] for token in listed} == special_tokens
    assert all(token["special"] for token in listed)
    tokenizer = Tokenizer.from_file(str(bundled_file(name)))
    assert {token: tokenizer.token_to_id(token) for token in special_tokens} == special_tokens


@pytest.mark.parametrize(
    ("name", "published"),
    [("gpt2-mini", "gpt2"), ("bert-mini", "bert-base-uncased"), ("xlnet-mini", "xlnet-base-cased")],
)
def test_the_pipeline_is_that_of_the_published_checkpoint(shared: Path, name: str, published: str) -> None:
    """Read through the library, which fills in the fields that older files leave out."""
    ours = content(name)
    theirs = json.loads(Tokenizer.from_file(str(shared / "tokenizers" / published / "tokenizer.json")).to_str())
    if name == "xlnet-mini":
        character_map = theirs["normalizer"]["normalizers"].pop()
        assert character_map["type"] == "Precompiled"
    assert [token["content"] for token in ours["added_tokens"]] == [
        token["content"] for token in theirs["added_tokens"]
    ]
    for component in (ours["post_processor"], theirs["post_processor"]):
        for special_token in component.get("special_tokens", {}).values():
            special_token.pop("ids")
    for stage in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
        assert ours[stage] == theirs[stage], stage
    sizes = ("vocab", "merges")
    assert {k: v for k, v in ours["model"].items() if k not in sizes} == {
        k: v for k, v in theirs["model"].items() if k not in sizes
    }


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("gpt2-mini", "The Ġharbour Ġwas Ġunhappy , Ġ202 4 ĠÃ ī ."),
        ("bert-mini", "[CLS] the harbour was unhappy , 202 ##4 e . [SEP]"),
        ("xlnet-mini", "▁The ▁harbour ▁was ▁unhappy , ▁2024 ▁E . <sep> <cls>"),
    ],
)
def test_common_words_are_one_token_and_others_are_cut(name: str, tokens: str) -> None:
    encoding = Tokenizer.from_file(str(bundled_file(name))).encode("The harbour was unhappy, 2024 É.")
    assert encoding.tokens == tokens.split(" ")


PACKAGED = {
    "llama3-mini": "llama-3",
    "o200k-mini": "gpt-4o",
    "qwen-mini": "qwen-3",
    "tekken-mini": "mistral-nemo",
    "deepseek-mini": "deepseek-v3",
    "gemma-mini": "gemma-3",
}
"""Which published tokenizer has the pipeline of each of today's, by its name in tools/checkpoints/packages.toml."""


@pytest.mark.long
@pytest.mark.parametrize(("name", "published"), PACKAGED.items())
def test_the_pipeline_is_that_of_the_published_model(models: Path, name: str, published: str) -> None:
    file = models / published / "tokenizer.json"
    if not file.is_file():
        pytest.skip(f"{published} is not in {models}: make models installs it")
    theirs = json.loads(Tokenizer.from_file(str(file)).to_str())
    ours = content(name)
    for document in (ours, theirs):
        after = document["post_processor"] or {}
        for part in after.get("processors", [after]):
            part.pop("special_tokens", None)  # they have ids
    for stage in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
        assert ours[stage] == theirs[stage], stage
    for option in ("ignore_merges", "byte_fallback", "fuse_unk", "unk_token"):
        assert ours["model"][option] == theirs["model"][option], option
    known = {each["content"]: each for each in theirs["added_tokens"]}
    for token in ours["added_tokens"]:
        assert {**token, "id": 0} == {**known[token["content"]], "id": 0}


@pytest.mark.parametrize("name", ["llama3-mini", "tekken-mini"])
def test_words_become_one_token_only_where_merges_are_ignored(name: str) -> None:
    document = content(name)
    assert document["model"]["ignore_merges"]
    without = Tokenizer.from_str(json.dumps({**document, "model": {**document["model"], "ignore_merges": False}}))
    whole = Tokenizer.from_file(str(bundled_file(name)))
    texts = [" late", " come", " last"]
    assert [len(whole.encode(text, add_special_tokens=False)) for text in texts] == [1, 1, 1]
    assert min(len(without.encode(text, add_special_tokens=False)) for text in texts) > 1


# Where it comes from --------------------------------------------------------------------------------------------------


def test_the_corpus_is_of_many_scripts_and_mostly_english() -> None:
    text = script.CORPUS.read_text(encoding="utf-8")
    assert 25_000 <= len(text.encode()) <= 40_000
    assert sum(character.isascii() for character in text) > 0.8 * len(text)
    assert [character for character in "éßñçłйıấعאकกт漢の하🙂" if character not in text] == []
    assert "\r" not in text


@pytest.mark.parametrize("name", [name for name in NAMES if name != "xlnet-mini"])
def test_the_script_gives_the_bundled_file_again(name: str) -> None:
    """The plain BPE trainer is reproducible (observed, tokenizers 0.23.3)."""
    assert script.as_file(script.BUILDERS[name](script.corpus_lines())) == bundled_file(name).read_text(
        encoding="utf-8"
    )


def test_the_script_gives_the_bundled_unigram_but_for_what_its_trainer_leaves_open() -> None:
    """Nothing promises equal scores from run to run, so only pieces that no score decides are compared."""
    trained = script.xlnet_mini(script.corpus_lines())
    bundled = content("xlnet-mini")
    assert len(trained["model"]["vocab"]) == len(bundled["model"]["vocab"])
    characters = {piece for piece, _ in trained["model"]["vocab"] if len(piece) == 1}
    assert characters == {piece for piece, _ in bundled["model"]["vocab"] if len(piece) == 1}
    for model in (trained, bundled):
        del model["model"]["vocab"]
    assert json.loads(script.as_file({**trained, "model": {**trained["model"], "vocab": [["<unk>", 0.0]]}})) == {
        **bundled,
        "model": {**bundled["model"], "vocab": [["<unk>", 0.0]]},
    }


def test_the_bundled_unigram_is_in_canonical_order() -> None:
    special = len(script.XLNET_SPECIAL_TOKENS)
    vocabulary = [tuple(entry) for entry in content("xlnet-mini")["model"]["vocab"]]
    assert vocabulary[:special] == [(token, 0.0) for token in script.XLNET_SPECIAL_TOKENS]
    assert script.canonical_unigram(vocabulary[special:]) == vocabulary[special:]


@given(
    st.dictionaries(
        st.text("abc\u6f22", min_size=1, max_size=3),
        st.floats(-20, -1) | st.integers(0, 20).map(lambda steps: -5 - steps / 10_000),
        max_size=20,
    )
)
def test_putting_a_unigram_in_canonical_order_twice_changes_nothing(vocabulary: dict[str, float]) -> None:
    once = script.canonical_unigram(list(vocabulary.items()))
    assert script.canonical_unigram(once) == once
    assert {piece for piece, _ in once} == set(vocabulary)


@given(st.lists(st.lists(st.text("ab\u6f22", min_size=1, max_size=3), min_size=1, max_size=4)), st.randoms())
def test_a_wordpiece_vocabulary_can_write_its_words_and_depends_on_no_order(
    words: list[list[str]], random: Any
) -> None:
    vocabulary = script.wordpiece_vocabulary(["[UNK]"], words)
    shuffled = random.sample(words, len(words))
    assert script.wordpiece_vocabulary(["[UNK]"], shuffled) == vocabulary
    assert list(vocabulary.values()) == list(range(len(vocabulary)))
    for first, *rest in words:
        assert first in vocabulary
        assert all(f"##{piece}" in vocabulary for piece in rest)
        assert all(f"##{character}" in vocabulary for piece in rest for character in piece)
