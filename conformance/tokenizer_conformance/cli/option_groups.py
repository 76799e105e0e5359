"""Every option of the command line, in groups: the same groups, in the same order, in the help of all commands.

An option stands here once, by its long name, so it is in one group, and has one place in it, wherever there is such an
option. Those that are seldom needed stand last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUPS: dict[str, tuple[str, ...]] = {
    "What is compared": (
        *("--implementation", "--baseline", "--tokenizer", "--models", "--class", "--finding", "--from"),
        *("--match", "--last"),
        *("--stage", "--field", "--section", "--require", "--every-id", "--no-loading", "--live"),
        *("--features", "--importance", "--area", "--select", "--ignore", "--behaviour"),
        *("--algorithm", "--vocab-size", "--pre-tokenizer", "--special-tokens", "--min-frequency", "--limit-alphabet"),
        *("--initial-alphabet", "--max-token-length", "--continuing-subword-prefix", "--end-of-word-suffix"),
        *("--unk-token", "--max-piece-length", "--shrinking-factor", "--n-sub-iterations"),
        *("--measure", "--by", "--base", "--words", "--parallel", "--base-language", "--gold", "--no-round-trip"),
        *("--chat", "--all-pairs", "--pair", "--no-special-tokens"),
    ),
    "Inputs": (
        *(
            "--inputs",
            "--corpus",
            "--column",
            "--split",
            "--no-builtin",
            "-k",
            "--only",
            "--sample",
            "--sample-seed",
            "--random",
        ),
        *("--ask", "--text-file", "--escaped", "--language", "--language-column", "--longest"),
    ),
    "How": (
        *(
            "--time",
            "--cases",
            "-n",
            "--tokenizers",
            "--texts",
            "--start",
            "--seed",
            "--jobs",
            "--engine",
            "--exitfirst",
        ),
        *(
            "--max-fail",
            "--cause-time",
            "--bisect",
            "--speed",
            "--speed-time",
            "--snapshots",
            "--repeat",
            "--tolerance",
            "--alpha",
        ),
        *("--confidence", "--replicates", "--partial", "--all", "--unused-for", "--no-check"),
        *("--timeout", "--isolate", "--memory", "--in-process", "--checkpoint-every"),
        *("--config", "--no-config", "--quiet", "--traceback", "--list", "--definitions", "--version", "--help"),
    ),
    "Known differences": ("--ledger", "--update-ledger", "--no-known"),
    "Reports": (
        *("--json", "--markdown", "--html", "--csv", "--parquet", "--latex", "--plots", "--site", "--document"),
        "--documentation",
        *("--output", "--format", "--table", "--severity", "--fix-to", "--examples", "--resume", "--force"),
    ),
    "CI": ("--junit", "--sarif", "--github", "--fail-on", "--shard", "--last-failed"),
}

PLACES = {name: place for place, name in enumerate(name for names in GROUPS.values() for name in names)}


def name_of(option: click.Parameter) -> str:
    """Return the name by which ``option`` stands in :data:`GROUPS`: the long one, where it has one."""
    return next((name for name in option.opts if name.startswith("--")), option.opts[0])


def grouped(options: list[click.Parameter]) -> Iterator[tuple[str, list[click.Parameter]]]:
    """Yield the groups that have any of ``options``, with these. Raises ``KeyError`` for one that is in no group."""
    placed = sorted(options, key=lambda option: PLACES[name_of(option)])
    for title, names in GROUPS.items():
        own = [option for option in placed if name_of(option) in names]
        if own:
            yield title, own


class GroupedCommand(click.Command):
    """A command whose help shows its options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, group by group."""
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option) and not each.hidden]
        for title, own in grouped([*options]):
            with formatter.section(title):
                formatter.write_dl([record for each in own if (record := each.get_help_record(ctx)) is not None])
