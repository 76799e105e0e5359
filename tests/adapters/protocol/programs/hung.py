"""Hangs with a child that hangs, and looks neither at its standard input nor at signals: ``python hung.py FOLDER``."""

import signal
import subprocess
import sys
import time
from pathlib import Path

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if len(sys.argv) == 2:
    child = subprocess.Popen([sys.executable, "-I", "-S", __file__, sys.argv[1], "child"])
    Path(sys.argv[1], str(child.pid)).touch()
time.sleep(600)
