"""Write ``adapters/tokenizer_adapters/variants/unicode_history.py``: which property changed in which Unicode version.

    python tools/generate_unicode_history.py            write the tables
    python tools/generate_unicode_history.py --check    exit with status 1 where the committed file differs

Sources: the npm packages ``@unicode/unicode-<version>``, as for the tables of the reference (read by
``generate_unicode_tables.py``), and ``unicodedata2``, installed into a temporary folder, for decompositions and
combining classes, which are in no package of that family. Of these only the characters that were assigned after
Unicode 9.0 are written: the reference has those of 9.0, and what is assigned keeps both for ever (the normalization
stability policy).
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generate_unicode_tables import (
    HANGUL_SYLLABLES,
    UnicodePackages,
    code_points,
    encode_mapping,
    encode_ranges,
    full_mapping,
    general_categories,
    literal,
    ranges_of,
)
from generated import write_or_check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from generate_unicode_tables import Ranges

OUTPUT = Path(__file__).parents[1] / "adapters" / "tokenizer_adapters" / "variants" / "unicode_history.py"

VERSIONS = (
    *("6.0", "6.1", "6.2", "6.3", "7.0", "8.0", "9.0", "10.0", "11.0"),
    *("12.0", "12.1", "13.0", "14.0", "15.0", "15.1", "16.0", "17.0", "18.0"),
)
PACKAGES = {
    **{f"@unicode/unicode-{version}.0": "2.1.0" if version == "17.0" else "2.0.7" for version in VERSIONS},
    "unicode-property-aliases": "3.0.0",
    "unicode-property-value-aliases": "4.0.0",
}
DECOMPOSITIONS = "unicodedata2==18.0.0"

KEPT_SINCE = "9.0"
"""The version whose decompositions and combining classes the reference has."""

DECOMPOSITION_PROGRAM = """
import json, sys
import unicodedata2
found = [(at, unicodedata2.decomposition(chr(at)), unicodedata2.combining(chr(at))) for at in json.load(sys.stdin)]
print(json.dumps([each for each in found if each[1] or each[2]]))
"""

BINARY_PROPERTIES = ("Alphabetic", "White_Space", "Lowercase", "Uppercase", "Cased", "Case_Ignorable")

NO_VALUE = ""
"""The value of a code point that has none: an unassigned one, or one without a script, break or mapping."""

Values = dict[int, str]


def values_of(sets: Mapping[str, Ranges]) -> Values:
    """Return the value of each code point."""
    return {at: value for value, ranges in sets.items() for at in code_points(ranges)}


def named_sets(packages: UnicodePackages, version: str, family: str, without: str) -> dict[str, Ranges]:
    """Return the sets of a property family but for that of its default value."""
    sets = packages.sets(version, family)
    sets.pop(without, None)
    return sets


def properties(packages: UnicodePackages) -> dict[str, Callable[[str], Values]]:
    """Return what gives, for a version, the value of each code point; by the name of the property."""
    _, category_aliases, _ = packages.aliases()

    def binary(name: str) -> Callable[[str], Values]:
        return lambda version: values_of(packages.sets(version, "Binary_Property", [name]))

    def lowercase(version: str) -> Values:
        return sequences(full_mapping(packages, version, "Lowercase"))

    def folded(version: str) -> Values:
        return sequences(packages.mapping(version, "Case_Folding/C") | packages.mapping(version, "Case_Folding/S"))

    return {
        "General_Category": lambda version: values_of(general_categories(packages, version, category_aliases)),
        "Script": lambda version: values_of(named_sets(packages, version, "Script", "Unknown")),
        "Grapheme_Cluster_Break": lambda version: values_of(
            named_sets(packages, version, "Grapheme_Cluster_Break", "Other")
        ),
        **{name: binary(name) for name in BINARY_PROPERTIES},
        "Lowercase_Mapping": lowercase,
        "Simple_Case_Folding": folded,
    }


def sequences(mapped: Mapping[int, tuple[int, ...]]) -> Values:
    """Return the values of a mapping to characters, as they are kept."""
    return {key: " ".join(f"{at:x}" for at in value) for key, value in mapped.items()}


def changed(before: Values, after: Values) -> dict[str, Ranges]:
    """Return value -> the code points that have it since ``after``; what lost its value is under ``NO_VALUE``."""
    members: dict[str, list[int]] = {}
    for at in before.keys() | after.keys():
        value = after.get(at, NO_VALUE)
        if before.get(at, NO_VALUE) != value:
            members.setdefault(value, []).append(at)
    return {value: ranges_of(members[value]) for value in sorted(members)}


def history(of_version: Callable[[str], Values]) -> dict[str, dict[str, str]]:
    """Return version -> value -> the encoded ranges that have got it in that version."""
    before: Values = {}
    told = {}
    for version in VERSIONS:
        after = of_version(f"{version}.0")
        if steps := changed(before, after):
            told[version] = {value: encode_ranges(ranges) for value, ranges in steps.items()}
        before = after
    return told


def later_decompositions(later: Iterable[int], folder: Path) -> tuple[str, str, dict[str, str]]:
    """Return canonical and compatibility decompositions, one level, and combining classes, of ``later`` characters."""
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder)]
    subprocess.run([*install, DECOMPOSITIONS], check=True, stdout=sys.stderr)
    done = subprocess.run(
        [sys.executable, "-c", DECOMPOSITION_PROGRAM],
        input=json.dumps([at for at in later if at not in HANGUL_SYLLABLES]),
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    canonical: dict[int, tuple[int, ...]] = {}
    compatibility: dict[int, tuple[int, ...]] = {}
    classes: dict[int, list[int]] = {}
    for at, decomposition, combining_class in json.loads(done.stdout):
        parts = decomposition.split()
        tagged = bool(parts) and parts[0].startswith("<")
        if parts:
            (compatibility if tagged else canonical)[at] = tuple(int(part, 16) for part in parts[tagged:])
        if combining_class:
            classes.setdefault(combining_class, []).append(at)
    encoded = {str(key): encode_ranges(ranges_of(classes[key])) for key in sorted(classes)}
    return encode_mapping(canonical), encode_mapping(compatibility), encoded


HEADER = '''"""Which property of which code point changed in which Unicode version. Generated; do not edit.

Generator: tools/generate_unicode_history.py.
Sources: npm packages @unicode/unicode-6.0.0 to 18.0.0 and {decompositions}.

``HISTORY`` has, for a property and a version, the code points that got another value in it, by that value: the ones
that lost theirs are under "". The first version has all of its values. Ranges are written as in the tables of the
reference: hexadecimal pairs, the distance from the end of the range before and the length of the range. A mapping's
value is the code points that it maps to.

The decompositions and combining classes are those of the characters that were assigned after Unicode 9.0; what is
assigned keeps them in all later versions.
"""

from collections.abc import Mapping
from typing import Final

'''


def written(value: Any, indent: str = "") -> str:
    """Return ``value``, text or nested mappings of it, as source."""
    if isinstance(value, str):
        return literal(value, indent)
    inner = f"{indent}    "
    rows = "".join(f"{inner}{json.dumps(key)}: {written(each, inner)},\n" for key, each in value.items())
    return f"{{\n{rows}{indent}}}"


def render(packages: UnicodePackages, folder: Path) -> str:
    """Return the text of the module."""
    histories = {}
    for name, of_version in properties(packages).items():
        histories[name] = history(of_version)
        print(name, file=sys.stderr)
    assigned = {version: packages.sets(f"{version}.0", "Binary_Property", ["Assigned"]) for version in VERSIONS}
    earlier = set(code_points(assigned[KEPT_SINCE]["Assigned"]))
    later = [at for at in code_points(assigned[VERSIONS[-1]]["Assigned"]) if at not in earlier]
    canonical, compatibility, classes = later_decompositions(later, folder)
    kinds = {
        "Mapping[str, Mapping[str, Mapping[str, str]]]": {"HISTORY": histories},
        "str": {
            "LATER_CANONICAL_DECOMPOSITION": canonical,
            "LATER_COMPATIBILITY_DECOMPOSITION": compatibility,
        },
        "Mapping[str, str]": {"LATER_COMBINING_CLASS": classes},
    }
    header = HEADER.replace("{decompositions}", DECOMPOSITIONS.replace("==", " "))
    versions = f"VERSIONS: Final = tuple({json.dumps(' '.join(VERSIONS))}.split())\n"
    constants = [
        f"{name}: Final[{kind}] = {written(value)}\n" for kind, named in kinds.items() for name, value in named.items()
    ]
    return header + versions + "\n" + "\n".join(constants)


def text() -> str:
    """Return the text of the module, of packages that are installed into a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        node, python = Path(folder) / "node", Path(folder) / "python"
        node.mkdir()
        return render(UnicodePackages(node, PACKAGES), python)


def main() -> int:
    """Write or check the module."""
    return write_or_check(__doc__, OUTPUT, text)


if __name__ == "__main__":
    sys.exit(main())
