"""A program that answers every text in capitals, and does what its argument says over the text "boom".

It notes the number of each process that it starts, itself first, as a line of the file that its second argument names.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

FAULT, NOTES = sys.argv[1:]

STARTED = {
    "protocol": 1,
    "name": "faulty",
    "version": "1",
    "language": "Python",
    "stages": ["normalize", "decode"],
    "fields": ["text"],
    "offset_unit": "code points",
}


def write(line: str, end: str = "\n") -> None:
    sys.stdout.write(line + end)
    sys.stdout.flush()


def note(number: int) -> None:
    with Path(NOTES).open("a") as notes:
        notes.write(f"{number}\n")


def boom(number: int, right: str) -> None:  # noqa: C901 - a flat list
    match FAULT:
        case "none":
            write(right)
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
            time.sleep(60)
        case "abort":
            sys.stderr.write("terminate called after throwing an instance of 'std::out_of_range'\n")
            sys.stderr.flush()
            os.abort()
        case "panic":
            sys.exit("thread 'main' panicked at src/lib.rs:7:5:\nbyte index 3 is not a char boundary")
        case "leave":
            sys.exit(0)
        case "hang":
            time.sleep(60)
        case "memory":
            kept = bytearray()
            while True:
                kept += bytes(1 << 24)
        case "garbage":
            write("Loading model \x1b[31m…")
        case "half-then-end":
            write(right[:20], end="")
            sys.exit(0)
        case "half-then-abort":
            write(right[:20], end="")
            os.abort()
        case "half-then-hang":
            write(right[:20], end="")
            time.sleep(60)
        case "wrong-number":
            write(right.replace(f'"id": {number}', f'"id": {number + 7}'))
        case "wrong-type":
            write(json.dumps({"id": number, "value": {"ids": [1, 2]}}))
        case "not-utf-8":
            sys.stdout.buffer.write(b'{"id": %d, "value": {"text": "\xff"}}\n' % number)
            sys.stdout.flush()
        case "endless-line":
            while True:
                write("x" * (1 << 20), end="")
        case "flood":
            while True:
                sys.stderr.write("warning: nothing is wrong\n" * 1000)
        case "noise":
            sys.stderr.write("warning: nothing is wrong\n" * 100_000)
            write(right)
        case "close-output":
            os.close(1)
            time.sleep(60)
        case "close-input":
            os.close(0)
            time.sleep(60)
        case "leave-a-child":
            child = subprocess.Popen(["sleep", "60"])
            note(child.pid)
            os.abort()
        case "answer-twice":
            write(right)
            write(right)
        case "survive-a-panic":
            write(
                json.dumps({"id": number, "error": {"kind": "panic", "message": "index out of range", "panic": True}})
            )


loaded = False
note(os.getpid())
if FAULT == "ignore-stop":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    request = json.loads(line)
    number = request["id"]
    match request["do"]:
        case "start":
            value = STARTED
        case "load":
            loaded, value = True, {}
        case "observe" if not loaded:
            value = "a process that was started again has to load the tokenizer again"
        case "observe" if request["ask"] == "normalize":
            value = {"text": request["text"].upper()}
        case "observe":
            value = {"text": " ".join(map(str, request["ids"]))}
        case "vocabulary":
            value = {"vocabulary": {"a": 1, "\ud800": 2}}
        case _:
            value = {}
    right = json.dumps({"id": number, "value": value})
    if request.get("text") == "boom":
        boom(number, right)
    elif request["do"] == "stop" and FAULT == "ignore-stop":
        time.sleep(60)
    else:
        write(right)
    if request["do"] == "stop":
        break
