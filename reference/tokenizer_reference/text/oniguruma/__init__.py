"""Oniguruma's regular expressions (6.9.10, its own syntax, UTF-8), as `tokenizers` 0.23.3 uses them.

A pattern goes through these modules, in this order:

==================  =================================================================================================
`parser`            text of the pattern -> syntax tree; `character_class` reads what stands in brackets
`resolution`        syntax tree -> what is matched: captures counted, calls replaced, look-behinds checked, letters of
                    ``(?i)`` replaced by all their cases (`case_folding`)
`translation`       tree -> patterns of the standard library's `re`, for the trees that `re` can match in the same way
`starts`            tree -> where in a text matches can start, so that a search need not try every place
`matcher`           tree -> a backtracking machine that matches every tree, slowly; it is the definition
==================  =================================================================================================

:class:`~tokenizer_reference.text.regex.Regex` puts them together.
"""
