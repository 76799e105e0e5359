"""Write ``docs/reference/metrics.md``: the measures of ``tokconf metrics`` as their table defines them.

    python tools/generate_metrics_page.py            write the page
    python tools/generate_metrics_page.py --check    exit with status 1 where the committed page differs

The text around the measures is in ``tools/metrics_page.md.jinja``.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generated import write_or_check
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from tokenizer_conformance.research.metrics.measures.catalogue import DENOMINATORS, MEASURES
from tokenizer_conformance.research.metrics.measures.intervals import FEWEST_TEXTS, FEWEST_UNITS, Resampling
from tokenizer_conformance.research.metrics.measures.measure import Scope
from tokenizer_conformance.research.metrics.measures.sums import BUCKETS, FOLDS
from tokenizer_conformance.research.metrics.measures.words import WORD_DEFINITIONS

if TYPE_CHECKING:
    from tokenizer_conformance.research.metrics.measures.measure import Measure

TOOLS = Path(__file__).resolve().parent
OUTPUT = TOOLS.parent / "docs" / "reference" / "metrics.md"

TITLES = {
    Scope.TEXTS: "A tokenizer on texts",
    Scope.IDS: "How the vocabulary is spent",
    Scope.BASE: "Against a base tokenizer",
    Scope.REFERENCE_LANGUAGE: "Against a reference language",
    Scope.LANGUAGES: "Over languages",
    Scope.PAIR: "Agreement of two tokenizers",
    Scope.MORPHEMES: "Tokens and morphemes",
    Scope.VOCABULARY: "A vocabulary",
    Scope.VOCABULARIES: "Two vocabularies",
}

BETTER = {
    "higher": "; more is better, if all else is equal",
    "lower": "; less is better, if all else is equal",
    "none": "",
}

REFERENCES = {
    "Ács (2019)": "Exploring BERT's vocabulary. Blog post.",
    "Arnett and Bergen (2025)": "Why do language models perform worse for morphologically complex languages? COLING.",
    "Chamandy et al. (2012)": "Estimating uncertainty for massive data streams. Technical report.",
    "Cognetta et al. (2024)": "Two counterexamples to Tokenization and the noiseless channel. LREC-COLING.",
    "Cohen (1960)": "A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20.",
    "Dagan et al. (2024)": "Getting the most out of your tokenizer for pre-training and domain adaptation. ICML.",
    "Efron and Tibshirani (1993)": "An introduction to the bootstrap. Chapman and Hall.",
    "Foroutan et al. (2025)": "Parity-aware byte-pair encoding: improving cross-lingual fairness in tokenization. "
    "Preprint.",
    "Gini (1912)": "Variabilità e mutabilità. Bologna.",
    "Hanley and MacGibbon (2006)": "Creating non-parametric bootstrap samples using Poisson frequencies. "
    "Computer Methods and Programs in Biomedicine 83.",
    "Jaccard (1912)": "The distribution of the flora in the alpine zone. New Phytologist 11.",
    "Kott (2001)": "The delete-a-group jackknife. Journal of Official Statistics 17.",
    "Kurimo et al. (2006)": "Unsupervised segmentation of words into morphemes: Challenge 2005. PASCAL workshop.",
    "Meister (2025)": "tokenizer-analysis-suite (TokEval). Software.",
    "Nayeem et al. (2025)": "Beyond fertility: analyzing STRR as a metric for multilingual tokenization evaluation. "
    "Preprint.",
    "Petrov et al. (2023)": "Language model tokenizers introduce unfairness between languages. NeurIPS.",
    "Piantadosi (2014)": "Zipf's word frequency law in natural language: a critical review and future directions. "
    "Psychonomic Bulletin and Review 21.",
    "Rényi (1961)": "On measures of entropy and information. Berkeley Symposium.",
    "Rust et al. (2021)": "How good is your tokenizer? On the monolingual performance of multilingual language "
    "models. ACL.",
    "Shannon (1948)": "A mathematical theory of communication. Bell System Technical Journal 27.",
    "Zipf (1935)": "The psycho-biology of language. Houghton Mifflin.",
    "Zouhar et al. (2023)": "Tokenization and the noiseless channel. ACL.",
}
"""What is cited on the page, by the words that cite it."""


@dataclass(frozen=True)
class Section:
    """A heading with its measures."""

    title: str
    measures: tuple[Measure[Any], ...]

    @property
    def anchor(self) -> str:
        """The anchor that a Markdown page gives the heading."""
        return re.sub(r"[^\w -]", "", self.title.lower()).replace(" ", "-")


def page() -> str:
    """Return the page."""
    sections = [
        Section(title, tuple(measure for measure in MEASURES if measure.scope is scope))
        for scope, title in TITLES.items()
    ]
    # The page is Markdown, whose text is our own.
    environment = Environment(loader=FileSystemLoader(TOOLS), undefined=StrictUndefined, autoescape=False)
    return environment.get_template("metrics_page.md.jinja").render(
        sections=sections,
        words=WORD_DEFINITIONS,
        better=BETTER,
        denominators=DENOMINATORS,
        references=[f"{name[:-1].replace('(', '')}. {title}" for name, title in REFERENCES.items()],
        replicates=Resampling().replicates,
        folds=FOLDS,
        buckets=BUCKETS,
        fewest_texts=FEWEST_TEXTS,
        fewest_units=FEWEST_UNITS,
    )


def main() -> int:
    """Write or check the page."""
    return write_or_check(__doc__, OUTPUT, page)


if __name__ == "__main__":
    sys.exit(main())
