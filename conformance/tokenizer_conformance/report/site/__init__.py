"""A site of many records: an index, a page for each implementation, tokenizer and requirement, registers, search.

results     results of implementations in runs of the suite, requirement by requirement
documents   pages in Markdown as pages of the site
addresses   what pages are called: stable, and the same for the same names
building    records and documents -> the files of a site
folder      the files of a site -> a folder, of which nothing is replaced that is no part of a site
"""
