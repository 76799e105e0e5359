"""A trainer behind the line protocol: WordLevel, the most frequent of the words that it is given with their counts."""

import json
import sys

ABOUT = {"protocol": 1, "name": "train-words", "version": "1.0", "language": "Python"}
LEARNS = {"algorithms": ["wordlevel"], "takes_words": True}


def learned(words, vocab_size, min_frequency=0, special_tokens=()):
    counts = {word: count for word, count in words if count >= min_frequency}
    by_count = sorted(counts, key=lambda word: (-counts[word], word))
    tokens = [*special_tokens, *by_count][:vocab_size]
    return {"tokens": {token: id for id, token in enumerate(tokens)}}


def answer_to(request):
    match request:
        case {"do": "start"}:
            return {**ABOUT, **LEARNS}
        case {"do": "train", "algorithm": "wordlevel", "words": words, "options": options}:
            return learned(words, **options)
        case {"do": "stop"}:
            return {}


for line in sys.stdin:
    request = json.loads(line)
    try:
        value = answer_to(request)
        outcome = {"unsupported": "train-words cannot do this"} if value is None else {"value": value}
    except Exception as error:
        outcome = {"error": {"kind": type(error).__name__, "message": str(error)}}
    print(json.dumps({"id": request["id"], **outcome}), flush=True)
    if request["do"] == "stop":
        break
