"""Checking an implementation from Python: what the commands ``run`` and ``suite run`` do, with a report as a value."""
