"""Makes this Python lack what only POSIX has, as far as the project could use it: imported before anything else."""

import os
import select
import signal
import subprocess
import sys

import filelock  # noqa: F401 - it chooses its lock by the system when it is imported, which is the one of this machine

for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None  # type: ignore[assignment]  # importing it raises ImportError
for module, names in (
    (os, ["fork", "getpgid", "getppid", "killpg", "register_at_fork", "set_blocking", "setpgid", "setsid", "waitid"]),
    (select, ["epoll", "poll"]),
    (signal, ["SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGXFSZ", "pthread_sigmask", "set_wakeup_fd"]),
):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
subprocess.Popen.kill = lambda self: self.send_signal(9)  # type: ignore[method-assign]  # as Windows has a way of its own
