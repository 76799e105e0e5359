"""Text written to do harm where it is shown: in a browser, a terminal, a spreadsheet, a CI system, a parser.

Each is harmful in a way of its own, and has :data:`MARK` in it, by which tests find where it went. What is evaluated
becomes :data:`PRODUCT`, which stands in none.
"""

from __future__ import annotations

MARK = "owned"
"""What stands in every hostile text."""

FACTORS = (7919, 7907)
"""What a template engine that reads hostile text would multiply."""

PRODUCT = str(FACTORS[0] * FACTORS[1])
"""What it would make of that."""

_MULTIPLIED = "{} * {}".format(*FACTORS)

HOSTILE: dict[str, str] = {
    "script": '<script>owned("1")</script>',
    "event handler": "<img src=owned onerror=alert(1)><svg onload=alert(2)>",
    "attribute": "\"' autofocus onfocus=alert('owned') x=\"",
    "javascript link": "[owned](javascript:alert(1)) <javascript:alert(1)> ![owned](data:text/html,x)",
    "reference link": "[owned]: javascript:alert(1)",
    "end of elements": "</textarea></title></style></script></pre></code><b>owned</b>",
    "end of a script's text": "<!--<script>owned",
    "template": f"{{{{ {_MULTIPLIED} }}}}{{% set owned = 1 %}}{{# owned #}}${{{_MULTIPLIED}}}<%= {_MULTIPLIED} %>",
    "entity": "&lt;script&gt;owned&#x1b;&amp;",
    "ANSI": "\x1b[2J\x1b[31m\x1b]0;owned\x07\x1b]8;;http://owned\x1b\\link\x9b31m",
    "bidi": "\u202eowned\u202c\u2066\u200f\u061c\u2069",
    "invisible": "o\u200bw\u00adned owned\ufeff\U000e0041",
    "NUL": "a\x00owned",
    "surrogates": "\ud800owned\udfff",
    "noncharacters": "\ufffeowned\uffff\ufdd0\U0010ffff",
    "end of CDATA": "]]>owned<![CDATA[<x/>",
    "XML": '<?xml version="1.0"?><!DOCTYPE owned [<!ENTITY e SYSTEM "file:///owned">]>&e;',
    "formula": "=HYPERLINK(owned)",
    "formula after plus": "+owned!A1",
    "formula after minus": "-1+owned",
    "formula after at": "@SUM(owned)",
    "formula after a tab": "\t=owned",
    "formula after a return": "\r=owned",
    "formula in full width": "\uff1downed",
    "CSV": 'owned","=owned\r\n=owned,"',
    "workflow command": "\n::error::owned\r\n##[add-mask]owned",
    "escaped workflow command": "%0A::error::owned%0D%0A::stop-commands::owned",
    "Markdown": "\n# owned\n\n- owned\n\n---\n|owned|\n|---|\n",
    "code": "```\nowned <img src=owned>\n~~~\n``owned`` `",
    "emphasis": "**owned** __owned__ ~~owned~~ a|b \\",
    "LaTeX": "\\input{owned}\n\\write18{owned} $owned$ & # _ ^ ~ %",
    "lines": "a\u2028owned\u2029\x85\x0b\x0cowned",
    "address": "#finding=owned&implementation=%00",
    "prototype": "__proto__ owned",
}
"""Hostile texts by what they are."""

IN_JSON: dict[str, str] = {name: text for name, text in HOSTILE.items() if name != "surrogates"}
"""Those that may stand in a file in UTF-8: in a tokenizer.json, in a file of texts."""

FILE_NAMES: tuple[str, ...] = (
    "=owned<script>alert(1)<img src=owned onerror=alert(1)>{{ 7919 * 7907 }}]]>&|`*_",
    "@owned\n::error::owned\n# owned\x1b[31m\u202e\r%0A::error::owned",
    "+owned\\input{owned}$%#~^[owned](javascript:alert(1)),\"';",
    "\uff1downed",
)
"""What files may be called on POSIX systems."""

UNDECODABLE = "=owned\udcff<script>\x1b[31m"
"""What a file may be called, too, as Python has it: a byte of the name is of no character."""
