"""Becomes another program, which ends when standard input closes.

Whoever started it holds the other end of that pipe, and is gone when it closes, however it ended. This is for programs
that do not watch their standard input themselves.

Usage: ends_with_stdin.py PROGRAM [ARGUMENT...]
"""

import os
import signal
import sys


def watch(program: int) -> None:
    """Waits for the end of standard input, and ends the program if it is still there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while os.read(0, 4096):
        pass
    # somebody else may have got the number of a program that has ended meanwhile; then this is no child of it
    if os.getppid() == program:
        os.kill(program, signal.SIGKILL)


def main() -> None:
    program = os.getpid()
    if os.fork() == 0:
        try:
            watch(program)
        finally:
            os._exit(0)
    try:
        os.execv(sys.argv[1], sys.argv[1:])
    except OSError as error:
        sys.exit(f"{sys.argv[1]} cannot be started: {error.strerror}")


main()
