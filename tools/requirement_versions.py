"""Measure since when releases of ``tokenizers`` meet each requirement of the suite, and write it into its files.

    python tools/requirement_versions.py [--answers FOLDER]

Every release that ``changes/known/tokenizers.toml`` lists is asked the whole suite, in an environment of its own
(``releases.py``). ``since`` of a requirement becomes the first release that passes all of its cases, ``not_in`` the
later ones that do not. ``refused_before`` says that the release before ``since`` fails by refusing the tokenizers of
cases, and answers none of the others wrong. Verdicts are kept in FOLDER, a file for each release, so that a run which
is cut short goes on; one file is some minutes of work.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from releases import ROOT, release_of_tokenizers

from tokenizer_conformance.releases.known_changes.reader import releases_of
from tokenizer_conformance.validation.suite.export import area_text
from tokenizer_conformance.validation.suite.judging import CaseResult, CaseVerdict
from tokenizer_conformance.validation.suite.reader import INDEX, read_suite
from tokenizer_conformance.validation.suite.requirement import Place
from tokenizer_conformance.validation.suite.running import results_of

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


def verdicts_of(release: str, folder: Path) -> Verdicts:
    """Return what ``release`` makes of all cases; asks it where ``folder`` does not have that."""
    cases = {f"{case.area.name} {case.id}" for case in read_suite().cases()}
    file = folder / f"{release}.json"
    if file.exists():
        found: Verdicts = json.loads(file.read_text("ascii"))
        if found.keys() == cases:
            return found
    print(f"asking tokenizers {release}", flush=True)
    with release_of_tokenizers(release) as asked:
        found = {
            f"{result.judged.area.name} {result.judged.id}": verdict_of(result)
            for result in results_of(read_suite().cases(), asked)
        }
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(found, indent=0), encoding="ascii")
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
    verdicts = {release: verdicts_of(release, given.answers) for release in releases_of("tokenizers")}
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
