"""Starts programs that hang, and holds them until it is killed: ``python harness.py HUNG FOLDER COUNT``.

With a further argument it has a forked child as well.
"""

import os
import sys
import time

from tokenizer_adapters.protocol.launch import Program
from tokenizer_adapters.protocol.process import Limits, Process

hung, folder, count = sys.argv[1:4]
print("ready", flush=True)
held = []
for number in range(int(count)):
    program = Program((sys.executable, "-I", "-S", hung, folder), str(number))
    held.append(Process(program, Limits(memory=1 << 30 if number % 2 else None)))
if len(sys.argv) == 5 and os.fork() == 0:  # a child that is no other program, and outlives this one
    time.sleep(5)
    os._exit(0)
print("started", flush=True)
time.sleep(600)
