"""Which templates and special tokens a folder has, as ``transformers`` reads them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import transformers
from tokenizers import Tokenizer
from tokenizers.models import WordLevel

from tokenizer_reference.chat import ChatTemplate, NoChatTemplateError, special_tokens_of, templates_of
from tokenizer_reference.errors import TokenizerFileError

if TYPE_CHECKING:
    from pathlib import Path

SEVERAL = {"chat_template": [{"name": "default", "template": "c"}, {"name": "rag", "template": "r"}]}
ONE = {"chat_template": "c"}
FURTHER = "additional_chat_templates/tool_use.jinja"
TWO_FILES = {
    "tokenizer_config.json": {"bos_token": "<b>", "eos_token": None},
    "special_tokens_map.json": {"bos_token": "<c>", "eos_token": {"content": "<e>"}, "pad_token": "<p>"},
}

FOLDERS: dict[str, dict[str, Any]] = {
    "a text": {"tokenizer_config.json": ONE},
    "several": {"tokenizer_config.json": SEVERAL},
    "a file": {"tokenizer_config.json": ONE, "chat_template.jinja": "f"},
    "a file and several": {"tokenizer_config.json": SEVERAL, "chat_template.jinja": "f"},
    "further files": {"tokenizer_config.json": ONE, "chat_template.jinja": "f", FURTHER: "t"},
    "further files alone": {"tokenizer_config.json": ONE, FURTHER: "t"},
    "none": {"tokenizer_config.json": {"bos_token": "a"}},
    "tokens": {"tokenizer_config.json": {"bos_token": {"content": "<b>", "__type": "AddedToken"}, "eos_token": "<e>"}},
    "tokens of two files": TWO_FILES,
    "tokens of the first": TWO_FILES | {"tokenizer_config.json": {"bos_token": "<b>", "added_tokens_decoder": {}}},
    "tokens of models": {"tokenizer_config.json": {"image_token": "<i>", "extra_special_tokens": {"end_token": "<e>"}}},
    "no tokens": {"tokenizer_config.json": {"add_bos_token": True, "bos_token": None, "extra_special_tokens": ["<e>"]}},
}


def written(folder: Path, files: dict[str, Any]) -> Path:
    Tokenizer(WordLevel({"a": 0}, "a")).save(str(folder / "tokenizer.json"))
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


@pytest.mark.parametrize("files", FOLDERS.values(), ids=FOLDERS)
def test_a_folder_has_what_transformers_reads(files: dict[str, Any], tmp_path: Path) -> None:
    folder = written(tmp_path, files)
    theirs = transformers.PreTrainedTokenizerFast.from_pretrained(folder)
    templates = theirs.chat_template or {}
    assert templates_of(folder) == ({"default": templates} if isinstance(templates, str) else templates)
    assert special_tokens_of(folder) == theirs.special_tokens_map


FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "no JSON": ({"tokenizer_config.json": "{"}, "tokenizer_config.json: this is no JSON"),
    "no object": ({"tokenizer_config.json": []}, "tokenizer_config.json: expected a JSON object"),
    "no name": (
        {"tokenizer_config.json": {"chat_template": [{"template": "a"}]}},
        r'\$\.chat_template\[0\]: expected an object with the strings "name" and "template"',
    ),
}


@pytest.mark.parametrize(("files", "message"), FAULTS.values(), ids=FAULTS)
def test_a_file_that_cannot_be_read_is_named(files: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(TokenizerFileError, match=message):
        templates_of(written(tmp_path, files))


def test_a_template_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "chat_template.jinja").write_bytes(b"\xff")
    with pytest.raises(TokenizerFileError, match=r"chat_template\.jinja: cannot be read"):
        templates_of(tmp_path)


def test_what_is_not_there_is_said_with_what_is(tmp_path: Path) -> None:
    with pytest.raises(NoChatTemplateError, match="this tokenizer has no chat template"):
        ChatTemplate.from_folder(tmp_path)
    folder = written(tmp_path, FOLDERS["several"])
    assert ChatTemplate.from_folder(folder, "rag").render([{}]) == "r"
    with pytest.raises(NoChatTemplateError, match="is called 'x'; there are: default, rag"):
        ChatTemplate.from_folder(folder, "x")
