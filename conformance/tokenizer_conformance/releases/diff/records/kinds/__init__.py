"""The kinds of records that can be compared: a module for each, and one table."""
