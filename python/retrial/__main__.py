"""Starts the program `retrial` of this package: `retrial ...` and `python -m retrial ...`."""

import os
import signal
import sys


def main() -> None:
    # Python ignores SIGPIPE, and an ignored signal stays ignored in the program that is started.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "retrial")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
