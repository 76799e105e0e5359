"""Pages that people look at, made of records alone: one HTML file, a site, tables of findings.

kinds/   record -> page: a module for each kind of record
page     what a page shows, whatever command its record is of
strips   tokens under the text they stand for
html/    page -> one HTML file
"""
