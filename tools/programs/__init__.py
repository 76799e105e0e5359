"""Random programs that call the Python API of `tokenizers`, run with it and with the reference."""
