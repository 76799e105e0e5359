"""Measure since when releases of ``tokenizers`` meet each requirement of the suite, and write it into its files.

    python tools/requirement_versions.py [--answers FOLDER]

Every release that ``releases/known_changes/known/tokenizers.toml`` lists is asked the suite, in an environment of its
own (``releases.py``). ``since`` of a requirement becomes the first release that passes all of its cases, ``not_in`` the
later ones that do not. ``refused_before`` says that the release before ``since`` fails by refusing the tokenizers of
cases, and answers none of the others wrong. Verdicts are kept in FOLDER, a file for each release with the digest of
each case: a release is asked what is new to it alone. The first time that is the whole suite, some minutes for each.
"""

from __future__ import annotations

import argparse
import json
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from releases import ROOT, ReleaseError, release_of_tokenizers

from tokenizer_conformance.releases.known_changes.reader import releases_of
from tokenizer_conformance.validation.suite.export import area_text
from tokenizer_conformance.validation.suite.judging import CaseResult, CaseVerdict
from tokenizer_conformance.validation.suite.reader import INDEX, read_files, read_suite
from tokenizer_conformance.validation.suite.requirement import Place
from tokenizer_conformance.validation.suite.running import results_of

if TYPE_CHECKING:
    from collections.abc import Mapping

REQUIREMENTS = ROOT / "conformance" / "tokenizer_conformance" / "validation" / "suite" / "requirements"

PASSED, REFUSED, FAILED = "passed", "refused", "failed"

Verdicts = dict[str, str]
"""What a release made of each case, by area and id."""


def verdict_of(result: CaseResult) -> str:
    """Return whether a case passed, its tokenizer was refused, or anything else went wrong with it."""
    if result.verdict is CaseVerdict.PASSED:
        return PASSED
    first = result.failures[0] if result.failures else None
    return REFUSED if first is not None and first.place is Place.LOAD and first.step is None else FAILED


def digests_of_cases() -> dict[str, str]:
    """Return a digest of what each case asks and expects, by area and id."""
    found = {}
    for file in read_files().values():
        for requirement in file["requirements"]:
            for case in requirement["cases"]:
                name = case["tokenizer"]
                says = [
                    file["tokenizers"][name],
                    file.get("configurations", {}).get(name),
                    requirement["features"],
                    case["steps"],
                ]
                found[f"{file['area']} {requirement['id']}/{case['name']}"] = sha256(
                    json.dumps(says, sort_keys=True).encode("ascii")
                ).hexdigest()[:16]
    return found


def verdicts_of(release: str, folder: Path, digests: Mapping[str, str]) -> Verdicts:
    """Return what ``release`` makes of all cases; it is asked those that ``folder`` does not have with their digest."""
    file = folder / f"{release}.json"
    kept: dict[str, Any] = json.loads(file.read_text("ascii")) if file.exists() else {}
    found: Verdicts = {key: kept[key][1] for key, digest in digests.items() if kept.get(key, "")[:1] == [digest]}
    new = [case for case in read_suite().cases() if f"{case.area.name} {case.id}" not in found]
    if new:
        print(f"asking tokenizers {release} {len(new):,} cases", flush=True)
        with release_of_tokenizers(release) as asked:
            found |= {
                f"{result.judged.area.name} {result.judged.id}": verdict_of(result) for result in results_of(new, asked)
            }
        folder.mkdir(parents=True, exist_ok=True)
        written = {key: [digests[key], verdict] for key, verdict in found.items()}
        file.write_text(json.dumps(written, indent=0), encoding="ascii")
    return found


def versions_of(keys: list[str], verdicts: dict[str, Verdicts]) -> dict[str, Any]:
    """Return ``since``, ``not_in`` and ``refused_before`` of the requirement whose cases have ``keys``.

    ``verdicts`` are those of each release, the oldest first.
    """
    releases = list(verdicts)
    holds = [all(verdicts[release][key] == PASSED for key in keys) for release in releases]
    if not keys or not any(holds):
        return {"since": None, "not_in": [], "refused_before": False}
    first = holds.index(True)
    before = [verdicts[releases[first - 1]][key] for key in keys] if first else []
    return {
        "since": releases[first] if first else None,
        "not_in": [release for release, held in zip(releases[first:], holds[first:], strict=True) if not held],
        "refused_before": REFUSED in before and FAILED not in before,
    }


def main() -> int:
    """Do what the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--answers", type=Path, default=ROOT / ".venv" / "releases" / "verdicts", metavar="FOLDER")
    given = parser.parse_args()
    digests = digests_of_cases()
    try:
        verdicts = {release: verdicts_of(release, given.answers, digests) for release in releases_of("tokenizers")}
    except ReleaseError as error:
        print(f"requirement_versions: {error}; nothing was written", file=sys.stderr)
        return 1
    changed = 0
    for path in sorted(REQUIREMENTS.glob("*.json")):
        if path.name == INDEX:
            continue
        file = json.loads(path.read_text("ascii"))
        for number, requirement in enumerate(file["requirements"]):
            keys = [f"{file['area']} {requirement['id']}/{case['name']}" for case in requirement["cases"]]
            written = with_versions(requirement, versions_of(keys, verdicts))
            changed += written != requirement
            file["requirements"][number] = written
        path.write_text(area_text(file), encoding="ascii")
    print(f"{changed} requirements have other versions")
    return 0


def with_versions(requirement: dict[str, Any], versions: dict[str, Any]) -> dict[str, Any]:
    """Return ``requirement`` with ``versions``, in the order of its members; what says nothing is left out."""
    written: dict[str, Any] = {}
    for name, value in requirement.items():
        if name in ("not_in", "refused_before"):
            continue
        written[name] = versions["since"] if name == "since" else value
        if name == "until":
            written |= {key: versions[key] for key in ("not_in", "refused_before") if versions[key]}
    return written


if __name__ == "__main__":
    sys.exit(main())
