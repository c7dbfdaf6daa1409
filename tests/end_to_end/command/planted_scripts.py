#!/usr/bin/env python3
"""Planted defects for `retrial check --command`: at least 25 of 31 are found, each with a page that names the cause; the
clean ones pass.

    planted_scripts.py RETRIAL_BINARY [NAME...]

Each script runs in a folder of its own with six further files. A defect without words is one that check cannot see:
docs/own-program.md says so. No script is found by luck but those that draw: an unseeded draw repeats in 25 runs of 1000
values with a chance below 1e-50.
"""

import concurrent.futures
import os
import subprocess
import sys
import tempfile
import time

FEWEST = 25

# Four threads add to one sum without a lock: updates are lost, and the order of the sum differs.
RACE = r"""#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
int main(int, char** argv) {
  const char* given = std::getenv("OMP_NUM_THREADS");
  const int threads = given == nullptr ? 4 : std::atoi(given);
  volatile double sum = std::atof(argv[1]) * 1e-9;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&sum, t] { for (int i = 1; i <= 400000; ++i) sum = sum + 1.0 / (i + t); });
  for (auto& one : all) one.join();
  std::printf("acc = %.17g\\n", static_cast<double>(sum));
}
"""

HEAD = "import sys\nseed = int(sys.argv[1])\nbase = (seed * 2654435761 % 1000003) / 1000003\n"
PRINT = "print('acc =', repr(base + 1e-3 * (x % 1000)))\n"

# name: (lines that compute x, what the page must name, more options)
PLANTED = {
    "unseeded generator": ("import random\nx = random.random()", ["generator without a seed"], []),
    "unseeded generator of the system": ("import os\nx = os.urandom(1)[0]", ["generator without a seed"], []),
    "order of a set of strings": ("x = int(''.join(str(len(w)) for w in {'a', 'bb', 'ccc', 'dddd', 'eeeee'}))",
                                  ["order of a Python set", "PYTHONHASHSEED"], []),
    "hash of a string": ("x = hash('train')", ["hash()", "PYTHONHASHSEED"], []),
    "seed from time in seconds": ("import random, time\nx = 1000 * random.Random(int(time.time())).random()", ["the clock"], []),
    "seed from time in nanoseconds": ("import random, time\nx = 1000 * random.Random(time.time_ns()).random()", ["clock"], []),
    "process id": ("import os\nx = os.getpid()", ["process id"], []),
    "name of the folder out": ("x = int.from_bytes(sys.argv[2].encode()[-10:], 'big')", ["the name of {out}"], ["{out}"]),
    "address of an object": ("x = id(object()) // 16", ["address of an object"], []),
    "wall-clock budget": ("import time\nend = time.perf_counter_ns() + 2000000\nx = 0\nwhile time.perf_counter_ns() < end: x += 1",
                          ["clock"], []),
    "file of an earlier run": ("import os\nx = int(open('count').read()) if os.path.exists('count') else 0\nopen('count', 'w').write(str(x + 1))",
                               ["a file that an earlier run left", "count"], ["--jobs", "1"]),
    "seed ignored": (None, ["dead-source", "seed"], []),
    "one bit of the seed": ("base = seed % 2\nx = 0", ["outcomes"], []),
    "exit code by chance": ("import os, sys\nx = 0\nif os.urandom(1)[0] < 128: sys.exit(3)", ["exit"], []),
    "hour in the result": ("import time\nx = time.localtime().tm_hour", ["time of day"], []),
    "date in the result": ("import datetime\nx = datetime.date.today().toordinal()", ["date"], []),
    "minute in the result": ("import time\nx = time.localtime().tm_min", ["local time"], []),
    "weekday in UTC": ("import time\nx = time.gmtime().tm_yday", ["date"], []),
    "host name": ("import socket\nx = sum(map(ord, socket.gethostname()))", None, []),
    "number of CPUs": ("import os\nx = len(os.sched_getaffinity(0))", ["number of CPUs"], []),
    "number of threads of the machine": ("import os\nx = int(os.environ.get('OMP_NUM_THREADS', os.cpu_count()))", ["number of threads"], []),
    "working folder": ("import os\nx = sum(map(ord, os.getcwd()))", ["folder's name"], []),
    "order of a folder's files": ("import os\nx = int(''.join(n[1] for n in os.listdir('.') if n[0] == 'f'))", ["order in which a folder lists"], []),
    "language of the machine": ("import locale\nlocale.setlocale(locale.LC_ALL, '')\nx = len(locale.nl_langinfo(locale.CODESET))", ["language"], []),
    "user's home": ("import os\nx = sum(map(ord, os.path.expanduser('~')))", None, []),
    "file left in the temporary folder": (
        "import os, tempfile\nf = tempfile.gettempdir() + '/retrial-planted'\nx = 7 if os.path.exists(f) else 0",
        ["a file left in the temporary folder"], []),
    "race of threads over a float sum": (RACE, ["threads"], []),
    "10 % of runs differ": ("import os\nx = 1 if os.urandom(1)[0] < 26 else 0", ["generator without a seed"], ["--repeats", "20"]),
    "metric rounded": ("import random\nbase = round(base + 1e-9 * random.random(), 3)\nx = 0", None, []),
    "metric printed but not read": ("import random\nx = 0\nprint('loss =', random.random())", None, []),
    "release of the kernel": ("x = sum(map(ord, open('/proc/sys/kernel/osrelease').read()))", None, []),
}

CLEAN = {
    "seeded generator": ("import random\nx = 1000 * random.Random(seed).random()", []),
    "sorted set": ("x = int(''.join(str(len(w)) for w in sorted({'a', 'bb', 'ccc'})))", []),
    "sorted folder": ("import os\nx = len(sorted(os.listdir('.')))", []),
    "clock that is only printed": ("import time\nx = 0\nprint('took', time.time(), file=sys.stderr)", []),
}


def page_of(retrial, lines, more):
    second = time.localtime().tm_sec
    if lines and "tm_min" in lines and second > 35:  # a minute that ends under way is found as a clock that moves
        time.sleep(61 - second)
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        for i in range(1, 7):
            with open(os.path.join(folder, f"f{i}"), "w", encoding="utf-8") as file:
                file.write("x")
        command = "python3 t.py {seed}" + (" {out}" if "{out}" in more else "")
        if lines is RACE:
            with open(os.path.join(folder, "t.cpp"), "w", encoding="utf-8") as file:
                file.write(lines)
            subprocess.run(["c++", "-O1", "-pthread", "-o", "t", "t.cpp"], cwd=folder, check=True)
            command = "./t {seed}"
        else:
            with open(os.path.join(folder, "t.py"), "w", encoding="utf-8") as file:
                file.write(HEAD + lines + "\n" + PRINT if lines else "print('acc = 1')\n")
        done = subprocess.run([retrial, "check", "--command", command, "--read", "acc", "--higher", "--seeds", "3",
                               *[word for word in more if word != "{out}"]], cwd=folder, capture_output=True, text=True,
                              env={**os.environ, "COLUMNS": "240"}, timeout=300)
        return done.returncode, " ".join((done.stdout + done.stderr).split())


def main():
    retrial, asked = os.path.abspath(sys.argv[1]), sys.argv[2:]
    left_in_tmp = os.path.join(tempfile.gettempdir(), "retrial-planted")
    with open(left_in_tmp, "w", encoding="utf-8"):
        pass
    found, wrong = [], []
    with concurrent.futures.ThreadPoolExecutor(4) as pool:  # most of the time a check waits for the next second
        pages = {name: pool.submit(page_of, retrial, row[0], row[-1]) for name, row in {**PLANTED, **CLEAN}.items()
                 if not asked or name in asked}
    for name, (_, words, _) in PLANTED.items():
        if name not in pages:
            continue
        code, page = pages[name].result()
        named = words is not None and all(word in page for word in words)
        print(f"{'found' if named else 'not found':>9}  exit {code}  {name}")
        if named:
            found.append(name)
        elif words is not None:
            wrong.append(name)
            print("          " + page[-600:])
    for name in CLEAN:
        if name not in pages:
            continue
        code, page = pages[name].result()
        print(f"{'clean' if code == 0 else 'ALARM':>9}  exit {code}  {name}")
        if code != 0 or " note: " in page:
            wrong.append(name)
            print("          " + page[-600:])
    os.remove(left_in_tmp)
    print(f"{len(found)} of {len(PLANTED)} found with their cause")
    if wrong or (not asked and len(found) < FEWEST):
        sys.exit("not as expected: " + ", ".join(wrong))


if __name__ == "__main__":
    main()
