"""How large pages of very many findings are; `benchmarks/report_size.py` says how fast they open."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tokenizer_conformance.report.reading import read_page
from tokenizer_conformance.results.html.writing import html_file

if TYPE_CHECKING:
    from types import ModuleType

BENCHMARK = Path(__file__).resolve().parents[3] / "benchmarks" / "report_size.py"

FIRST_SCREEN = 200_000
"""How many bytes of a page are neither index nor parts, at most."""


@pytest.fixture(scope="module")
def report_size() -> ModuleType:
    spec = importlib.util.spec_from_file_location("report_size", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["report_size"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.parametrize(
    ("findings", "largest"),
    [
        (1000, 600_000),
        pytest.param(100_000, 50_000_000, marks=pytest.mark.slow),
    ],
)
def test_the_size_of_a_page_of_very_many_findings(
    report_size: ModuleType, tmp_path: Path, findings: int, largest: int
) -> None:
    page = read_page(report_size.record_of(tmp_path, findings))
    assert len(page.findings) == findings
    written = html_file(page)
    assert len(written) < largest
    assert written.find(b'id="index"') < FIRST_SCREEN, "the first screen does not grow with the findings"
