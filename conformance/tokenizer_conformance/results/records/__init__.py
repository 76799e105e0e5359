"""The records that commands write: a module a format, whose types say what each line has.

The JSON Schema of a format, its reader and what a type checker knows of a line follow from these types
(``format.py``, ``schema.py``).
"""
