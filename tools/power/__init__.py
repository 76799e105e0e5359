"""How much the conformance suite sees: the reference with mistakes in it, asked the suite's cases.

Two kinds of mistakes: *faults*, written by hand as the authors of ports make them (``faults/*.toml``), and *mutants*,
small changes of the reference's source that are made by the operators of ``cosmic-ray``.
"""
