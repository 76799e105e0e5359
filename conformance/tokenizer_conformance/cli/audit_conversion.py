"""``tokconf audit conversion`` and ``tokconf audit gguf``: whether a file says what a tokenizer.json says."""

from __future__ import annotations

import json
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tokenizer_adapters.contract import CannotLoadError, TokenizerSource
from tokenizer_adapters.variants.chat_templates import UnreadableTemplateError, folder_templates
from tokenizer_conformance.cli.audit_loader import MOST_TEXTS
from tokenizer_conformance.cli.file_diff import built
from tokenizer_conformance.cli.read_files import input_files, program_files, tokenizer_files
from tokenizer_conformance.cli.registered import ImplementationError
from tokenizer_conformance.command_io.output import BadInput
from tokenizer_conformance.command_io.outputs import open_reports
from tokenizer_conformance.command_io.shell import carry_out
from tokenizer_conformance.command_io.status import STATUS
from tokenizer_conformance.comparison.asking import loaded
from tokenizer_conformance.comparison.component_differences import Component
from tokenizer_conformance.comparison.loading_errors import why_not_loaded
from tokenizer_conformance.defaults import CHAT_BASELINE, DEFAULT_BASELINE
from tokenizer_conformance.errors import BadInputError
from tokenizer_conformance.inputs.builtin import builtin_inputs
from tokenizer_conformance.inputs.bundled import bundled_names
from tokenizer_conformance.inputs.corpus import EVERYTHING
from tokenizer_conformance.inputs.paths import expanded
from tokenizer_conformance.inputs.text import Split
from tokenizer_conformance.inputs.tokenizer_files import FILE_NAME, TokenizerFile, parsed
from tokenizer_conformance.rejected import Rejected
from tokenizer_conformance.releases.conversions.conversion_files import GGUF, read_conversion
from tokenizer_conformance.releases.conversions.special_ids import named_roles, special_id_differences
from tokenizer_conformance.releases.conversions.templates import template_differences
from tokenizer_conformance.releases.conversions.token_types import unused_tokens
from tokenizer_conformance.releases.loader_audit.checks import LoaderAuditChecks
from tokenizer_conformance.releases.loader_audit.engine import audit
from tokenizer_conformance.releases.loader_audit.events import lines_of
from tokenizer_conformance.releases.loader_audit.page import LOADER_AUDITS
from tokenizer_conformance.releases.loader_audit.plan import Conversion, LoaderAuditPlan
from tokenizer_conformance.releases.loader_audit.witness import Budget
from tokenizer_conformance.results.ci_results.reports import check_reports
from tokenizer_conformance.results.page_reports import PageOf
from tokenizer_conformance.validation.running.preparation import MemoryLimit, all_sources, gather, given_sources

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tokenizer_adapters.contract import Implementation, ImplementationInfo, Subject
    from tokenizer_adapters.selection import Isolation
    from tokenizer_conformance.command_io.outputs import ReportOptions
    from tokenizer_conformance.comparison.asking import Asked
    from tokenizer_conformance.comparison.component_differences import Replacement
    from tokenizer_conformance.comparison.reduction import Json
    from tokenizer_conformance.releases.conversions.conversion_files import ReadConversion
    from tokenizer_conformance.releases.loader_audit.witness import Shown

CONFIGURATION = "tokenizer_config.json"
TEKKEN = "tekken.json"
LLAMA_CPP = "llama-cpp"
"""The implementation that runs a GGUF file."""


NOT_ASKED = "it is not asked about what differs"


def execute(
    *,
    original: str,
    converted: str,
    cases: int,
    seconds: float,
    seed: int,
    files: tuple[str, ...],
    column: str | None,
    isolation: Isolation,
    reports: ReportOptions,
) -> int:
    """Carry out ``tokconf audit conversion``, or ``tokconf audit gguf``."""
    original, converted = _in_order(original, converted)
    read = [*tokenizer_files((original,)), *program_files((converted,)), *input_files(files)]
    with ExitStack() as stack:
        opened = stack.enter_context(open_reports(reports, read))
        # One process holds one tokenizer: each side has an implementation to itself.
        first, second = (built(stack, isolation, DEFAULT_BASELINE) for _ in range(2))
        sources = given_sources(files, column, (Split.LINE,))
        given = gather(
            (original,),
            all_sources(sources, builtin=False) if sources else [],
            EVERYTHING,
            MemoryLimit((), isolation.limits.memory),
            may_be_empty=True,
        )
        (tokenizer,) = given.tokenizers
        STATUS.begin("reading", converted)
        document, configuration = _document(tokenizer), _configuration(tokenizer)
        try:
            found = read_conversion(converted, document, configuration)
        except BadInputError as error:
            raise BadInput(str(error)) from error
        renderer = built(stack, isolation, CHAT_BASELINE)
        engine = _engine(stack, isolation, converted) if found.format == GGUF else None
        refused, asked = (engine, None) if isinstance(engine, Rejected) else (None, engine)
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        texts = tuple(each.input.text for each in islice(given.corpus, MOST_TEXTS))
        plan = LoaderAuditPlan(
            tokenizers=(tokenizer,),
            new=TokenizerFile(TokenizerSource(Path(converted).name, converted), found.sha256),
            baseline=first,
            loaders=(_overlaid(found, second, Path(converted).name, Path(folder)),),
            inputs=tuple(dict.fromkeys((*texts, *(each.text for each in builtin_inputs())))),
            given=texts,
            budget=Budget(cases, seconds),
            seed=seed,
            refusals=given.refusals,
            unavailable=() if refused is None else (refused,),
            command=("tokconf", *sys.argv[1:]),
            conversion=_conversion(found, tokenizer, document, configuration, renderer, asked),
        )
        page = PageOf(LOADER_AUDITS, lines_of)
        made = page.reports(opened)
        made += check_reports(opened, partial(LoaderAuditChecks, plan))
        return carry_out(audit(plan), made, page.terminal)


def _in_order(one: str, other: str) -> tuple[str, str]:
    """Return the word for the tokenizer.json, and the path of the other file. Raises :class:`click.UsageError`."""
    are = _is_tokenizer(one), _is_tokenizer(other)
    if all(are):
        for word in (one, other):
            if expanded(word).is_dir() and not (expanded(word) / FILE_NAME).exists():
                raise BadInput(f"{word!r} is a folder without a {FILE_NAME}; name a file of it")
        raise click.UsageError(f"{one!r} and {other!r} are both tokenizer.json files: tokconf diff compares these")
    if not any(are):
        for word in (one, other):
            if not expanded(word).exists():
                raise BadInput(f"{word!r}: no such file")
        raise click.UsageError(
            f"neither {one!r} nor {other!r} is a tokenizer.json or a folder that holds one: one of the two has to be"
        )
    return (one, other) if are[0] else (other, one)


def _is_tokenizer(word: str) -> bool:
    """Return whether ``word`` names a tokenizer.json, and not a file of another format: a tekken.json, a vocab.json."""
    path = expanded(word)
    if path.is_dir() or not path.exists():
        return path.is_dir() or word in bundled_names()
    if path.suffix != ".json" or not path.is_file():
        return False
    try:
        document = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return path.name != TEKKEN
    return path.name == FILE_NAME or (isinstance(document, dict) and isinstance(document.get("model"), dict))


def _engine(stack: ExitStack, isolation: Isolation, file: str) -> Asked | Rejected | None:
    """Return llama.cpp with ``file``, where it is installed, or why it refuses the file."""
    try:
        implementation = built(stack, isolation, f"{LLAMA_CPP}@{file}")
    except ImplementationError:
        return None
    try:
        return loaded(implementation, TokenizerSource(Path(file).name, file))
    except CannotLoadError as error:
        return Rejected("implementation", implementation.info.name, f"{why_not_loaded(error)}; {NOT_ASKED}")


def _document(tokenizer: TokenizerFile) -> Json:
    file = tokenizer.source.file
    document = parsed(file, Path(file).read_bytes())
    assert isinstance(document, dict)  # noqa: S101 - it was read before, and refused where it is none
    return document


def _configuration(tokenizer: TokenizerFile) -> Json:
    """Return the tokenizer_config.json beside ``tokenizer``, empty where there is none that can be read."""
    folder = tokenizer.source.folder
    path = None if folder is None else Path(folder, CONFIGURATION)
    if path is None or not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise BadInput(f"{str(path)!r} is not JSON: {error}") from error
    return found if isinstance(found, dict) else {}


def _conversion(
    found: ReadConversion,
    tokenizer: TokenizerFile,
    document: Json,
    configuration: Json,
    renderer: Implementation,
    engine: Asked | None,
) -> Conversion:
    overlay, compared, unsaid = found.overlay, set(found.overlay.compared), list(found.overlay.unsaid)
    further: list[tuple[Replacement, Shown]] = list(unused_tokens(document, found.types))
    named = named_roles(document, configuration, found.special_ids)
    if named:
        compared.add(Component.DEFAULTS)
    unnamed = [role for role in found.special_ids if role not in named]
    if unnamed:
        unsaid.append(f"the ids of {', '.join(unnamed)}, for which the folder of the tokenizer.json names no token")
    if named:
        further += special_id_differences(document, configuration, found.special_ids, found.tokens)
    ours = _templates(tokenizer)
    if found.templates and not ours:
        unsaid.append("the chat template: the folder of the tokenizer.json has none to compare it with")
    elif ours and found.templates is not None:
        compared.add(Component.CHAT_TEMPLATE)
        further += template_differences(ours, found.templates, configuration, document, renderer, engine)
    return Conversion(
        notes={component: tuple(words) for component, words in overlay.notes.items()},
        losses=overlay.losses,
        further=tuple(further),
        compared=tuple(each for each in Component if each in compared),
        unsaid=tuple(unsaid),
        engine=engine,
    )


def _templates(tokenizer: TokenizerFile) -> Mapping[str, str]:
    folder = tokenizer.source.folder
    try:
        found = () if folder is None else folder_templates(folder)
    except UnreadableTemplateError as error:
        raise BadInput(str(error)) from error
    return found[0].template.templates if found else {}


def _overlaid(found: ReadConversion, implementation: Implementation, name: str, folder: Path) -> Implementation:
    file = folder / "tokenizer.json"
    file.write_text(json.dumps(found.overlay.document, ensure_ascii=False), "utf-8", errors="surrogatepass")
    return _Overlaid(implementation, replace(implementation.info, name=name, version=found.format), str(file))


class _Overlaid:
    """``implementation`` with the tokenizer.json into which a conversion was put, whatever it is to load."""

    def __init__(self, implementation: Implementation, info: ImplementationInfo, file: str) -> None:
        self.info = info
        self._implementation = implementation
        self._file = file

    def load(self, source: TokenizerSource) -> Subject:
        """Load the file, under the name of ``source``. Raises :class:`CannotLoadError`."""
        return self._implementation.load(TokenizerSource(source.name, self._file))
