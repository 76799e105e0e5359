"""``tokconf audit file``: what is wrong, dead or surprising in a tokenizer.json.

A check is a function from an ``AuditedFile`` to findings, in one table. In ``vocabulary/``, a text that was encoded is
a witness, a lemma about the model or a rule of a component is a proof, and what has neither is said to be searched.
"""
