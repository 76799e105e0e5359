"""What becomes of a record: a module for each kind of record, and a table of them (``table.py``)."""
