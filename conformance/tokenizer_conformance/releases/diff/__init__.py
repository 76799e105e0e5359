"""``tokconf diff``: what changed from a snapshot to another one, or to what is installed.

The old side is the baseline of a run in which snapshots answer what they answered then (:mod:`snapshot_file.replay`):
a change is found, blamed, counted, known and reported as any other difference. What a run does not ask about is
compared beside it: how tokenizers are loaded, what they are saved as, their vocabularies.
"""
