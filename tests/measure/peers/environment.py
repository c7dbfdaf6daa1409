#!/usr/bin/env python3
"""Makes a Python environment of peers outside the normal set-up, or tells where it is.
  environment.py NAME [--make]   NAME of requirements/NAME.txt; prints the path of its interpreter; exit 1 where there is none
The folder is .deps/peers-NAME, or $RETRIAL_PEERS/NAME where that variable is set.
"""
import os, subprocess, sys

here = os.path.dirname(os.path.abspath(__file__))


def folder(name):
    base = os.environ.get("RETRIAL_PEERS")
    return os.path.join(base, name) if base else os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(here))), ".deps", "peers-" + name)


def interpreter(name):
    return os.path.join(folder(name), "bin", "python")


def make(name):
    subprocess.run([sys.executable, "-m", "venv", folder(name)], check=True)
    subprocess.run([interpreter(name), "-m", "pip", "install", "-q", "-r",
                    os.path.join(here, "requirements", f"{name}.txt")], check=True)


if __name__ == "__main__":
    name = sys.argv[1]
    if not os.path.exists(interpreter(name)) and "--make" in sys.argv:
        make(name)
    print(interpreter(name))
    sys.exit(0 if os.path.exists(interpreter(name)) else 1)
