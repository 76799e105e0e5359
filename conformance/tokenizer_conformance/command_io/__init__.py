"""What every command shares: reports and records, progress, interrupts, and the conclusion with its exit status.

Reports are opened before anything runs, and it is known which files the command reads (``outputs.py``, ``sinks.py``).
Signals become one interrupt of the engine and of nothing else (``interrupts.py``), any other error an event
(``internal_error.py``), a conclusion an exit status by one table (``conclusion.py``). Text is laid out for the
terminal's width in one place (``screen.py``, ``tables.py``).
"""
