"""``tokconf diff``: what changed from a snapshot or a record to another, or to what is installed.

A diff is a run whose baseline answers from a file (``snapshot_file/replay.py``), so blame, findings, ledgers, records
and checks are those of a run. What differs is asked of the living releases again (``asking_again.py``), for causes and
small examples. The older side is explained, since the reference follows the latest release.
"""
