"""Programs that break the protocol: each does what a good one does, but for the fault that its argument names.

Run as ``python broken.py PROGRAM FAULT``, with the path of the good program (``words.py``, or ``train_words.py`` for
the last faults), which is changed and then run.
"""

import sys
from pathlib import Path

PROGRAM, FAULT = sys.argv[1:]

SORTED = [["7", 1], ["12", 2], ["hug", 4]]
TWICE = [["a", 1], ["a", 1]]

CHANGES = {
    "banner": ("tokens = []\n", "tokens = []\nprint('Loading model')\n"),
    "no-flush": (", flush=True)", ")"),
    "no-version": ('"version": "1.0", ', ""),
    "other-protocol": ('"protocol": 1', '"protocol": 3'),
    "shows-as-a-list": ("    return {}\n\n\ndef answer_to", '    return {"shows": ["ids"]}\n\n\ndef answer_to'),
    "shows-a-made-up-field": (
        "    return {}\n\n\ndef answer_to",
        '    return {"shows": {"model": ["ids", "colours"]}}\n\n\ndef answer_to',
    ),
    "shows-a-stage-not-announced": (
        "    return {}\n\n\ndef answer_to",
        '    return {"shows": {"normalize": ["text"]}}\n\n\ndef answer_to',
    ),
    "shows-a-field-not-announced": (
        "    return {}\n\n\ndef answer_to",
        '    return {"shows": {"model": ["ids", "type_ids"]}}\n\n\ndef answer_to',
    ),
    "made-up-unit": ('"code points"', '"characters"'),
    "made-up-stage": ('"stages": ["model"', '"stages": ["tokenize"'),
    "numbers-as-strings": ("[*map(tokens.index, known)]", "[str(tokens.index(word)) for word in known]"),
    "a-field-of-its-own": ('return {"ids":', 'return {"score": 0.5, "ids":'),
    "one-span-too-few": ("[word.span() for word in words]", "[word.span() for word in words][1:]"),
    "spans-in-bytes": (
        "word.span() for word in words",
        "[len(text[:at].encode('utf-8', 'replace')) for at in word.span()] for word in words",
    ),
    "field-not-announced": ('"fields": ["ids", "tokens", ', '"fields": ["ids", '),
    "stage-not-announced": ('["model", "decode"]', '["model"]'),
    "counts-by-itself": ('{"id": request["id"], **outcome}', '{"id": len(seen), **outcome}'),
    "last-first": (
        'print(json.dumps({"id": request["id"], **outcome}), flush=True)',
        "last_first(request, outcome)",
    ),
    "dies-of-what-it-does-not-know": (
        "            return {}\n\n\nfor line in sys.stdin:",
        '            return {}\n        case {"do": "dance"}:\n            sys.exit("no")\n\n\nfor line in sys.stdin:',
    ),
    "invents-an-answer": ("if value is None else", "if value == 0 else"),
    "error-for-what-it-does-not-know": (
        'outcome = {"unsupported": "words cannot show this"} if value is None',
        (
            'unknown = {"error": {"kind": "E", "message": ""}} if request["do"] == "dance" else {"unsupported": ""}\n'
            "        outcome = unknown if value is None"
        ),
    ),
    "one-encoding-too-few": (
        'case {"do": "observe", "ask": "decode"',
        (
            'case {"do": "observe", "ask": "encode_batch", "inputs": inputs, "add_special_tokens": False}:\n'
            '            return {"encodings": [{"ids": []}] * (len(inputs) - 1)}\n'
            '        case {"do": "observe", "ask": "decode"'
        ),
    ),
    "one-chunk-for-all": (
        'case {"do": "observe", "ask": "decode"',
        (
            'case {"do": "observe", "ask": "decode_stream"}:\n'
            '            return {"chunks": ["a"]}\n'
            '        case {"do": "observe", "ask": "decode"'
        ),
    ),
    "changes-for-good": (
        'case {"do": "observe", "ask": "decode"',
        (
            'case {"do": "observe", "ask": "after", "then": {"add_special_tokens": False}}:\n'
            '            tokens.insert(0, "new")\n'
            '            return {"ids": []}\n'
            '        case {"do": "observe", "ask": "decode"'
        ),
    ),
    "saves-half": (
        'case {"do": "observe", "ask": "decode"',
        (
            'case {"do": "save"}:\n'
            """            return {"document": '{"version": "1.0",'}\n"""
            '        case {"do": "observe", "ask": "decode"'
        ),
    ),
    "saves-a-list": (
        'case {"do": "observe", "ask": "decode"',
        ('case {"do": "save"}:\n            return {"document": "[]"}\n        case {"do": "observe", "ask": "decode"'),
    ),
    "calls-unevenly": (
        'case {"do": "observe", "ask": "decode"',
        (
            'case {"do": "call"}:\n'
            '            return {"fields": {"input_ids": [1, 2], "attention_mask": [1]}}\n'
            '        case {"do": "observe", "ask": "decode"'
        ),
    ),
    "never-the-same": ('"tokens": known', '"tokens": [forgets() for _ in known]'),
    "loads-anything": (
        'case {"do": "load", "file": file}:',
        (
            'case {"do": "load", "file": file} if not Path(file).exists():\n            return {}\n'
            '        case {"do": "load", "file": file}:'
        ),
    ),
    "shows-nothing": ('{"do": "observe", ', '{"do": "look", '),
    "does-not-stop": (
        'if request["do"] == "stop":\n        break',
        'if request["do"] == "stop":\n        import time\n        time.sleep(60)',
    ),
    "ends-badly": ('if request["do"] == "stop":\n        break', 'if request["do"] == "stop":\n        sys.exit(3)'),
    "goodbye": (
        'if request["do"] == "stop":\n        break',
        'if request["do"] == "stop":\n        print("bye")\n        break',
    ),
    "survives-its-input": (
        "for line in sys.stdin:",
        "import itertools, time\nfor line in itertools.chain(sys.stdin, iter(lambda: time.sleep(60), 0)):",
    ),
    "one-id-for-all": ("{token: id for id, token in", "{token: 0 for id, token in"),
    "too-many-tokens": ("[*special_tokens, *by_count][:vocab_size]", "[*by_count, *map(str, range(100, 140))]"),
    "scores-of-others": (
        "for id, token in enumerate(tokens)}}",
        'for id, token in enumerate(tokens)}, "scores": {"other": -1}}',
    ),
    "merges-of-others": (
        "for id, token in enumerate(tokens)}}",
        'for id, token in enumerate(tokens)}, "merges": [["hug", "y"]]}',
    ),
    "sorted-words": (
        'case {"do": "stop"}:',
        f'case {{"do": "count"}}:\n            return {{"words": {SORTED}}}\n        case {{"do": "stop"}}:',
    ),
    "words-twice": (
        'case {"do": "stop"}:',
        f'case {{"do": "count"}}:\n            return {{"words": {TWICE}}}\n        case {{"do": "stop"}}:',
    ),
    "half-a-trainer": ('"algorithms": ["wordlevel"], ', ""),
}

ADDED = """
seen, late = [], []


def forgets():
    seen.append(0)
    return str(len(seen))


def last_first(request, outcome):
    late.append(json.dumps({"id": request["id"], **outcome}))
    if request["do"] != "observe" or not tokens or len(late) == 5:
        while late:
            print(late.pop(), flush=True)
"""

source = Path(PROGRAM).read_text("utf-8")
before, after = CHANGES[FAULT]
if before not in source:
    sys.exit(f"{PROGRAM} has no {before!r}: change this program with it")
source = source.replace(before, after)
exec(compile(source.replace("tokens = []\n", "tokens = []\n" + ADDED), PROGRAM, "exec"))
