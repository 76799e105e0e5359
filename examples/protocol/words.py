"""A tokenizer behind the line protocol: the words of a text that stand in the vocabulary, id 0 for all others."""

import json
import re
import sys
from pathlib import Path

ABOUT = {"protocol": 1, "name": "words", "version": "1.0", "language": "Python", "offset_unit": "code points"}
SHOWN = {"stages": ["model", "decode"], "fields": ["ids", "tokens", "offsets", "text"]}
tokens = []


def load(file):
    vocab = json.loads(Path(file).read_text("utf-8"))["model"]["vocab"]
    tokens[:] = sorted(vocab, key=vocab.get) if isinstance(vocab, dict) else [row[0] for row in vocab]
    return {}


def answer_to(request):
    match request:
        case {"do": "start"}:
            return {**ABOUT, **SHOWN}
        case {"do": "load", "file": file}:
            return load(file)
        case {"do": "observe", "ask": "encode", "text": text, "add_special_tokens": False} if "pair" not in request:
            words = list(re.finditer(r"\S+", text))
            known = [word[0] if word[0] in tokens else tokens[0] for word in words]
            return {"ids": [*map(tokens.index, known)], "tokens": known, "offsets": [word.span() for word in words]}
        case {"do": "observe", "ask": "decode", "ids": ids}:
            return {"text": " ".join(tokens[id] for id in ids)}
        case {"do": "stop"}:
            return {}


for line in sys.stdin:
    request = json.loads(line)
    try:
        value = answer_to(request)
        outcome = {"unsupported": "words cannot show this"} if value is None else {"value": value}
    except Exception as error:
        outcome = {"error": {"kind": type(error).__name__, "message": str(error)}}
    print(json.dumps({"id": request["id"], **outcome}), flush=True)
    if request["do"] == "stop":
        break
