"""Golden files: the inputs that tell most faults of a tokenizer apart, with every expected value, for any language.

Inputs are chosen greedily by faults planted into a cut-down tokenizer.
"""
