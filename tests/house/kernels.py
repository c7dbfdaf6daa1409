#!/usr/bin/env python3
"""Registers of every kernel, as ptxas reports them, beside a table; a spill is an error whatever the table says.

    kernels.py ROOT NVCC TABLE            names each kernel that differs; exit code 1
    kernels.py ROOT NVCC TABLE --write    writes the table
    kernels.py ROOT NVCC --planted        a kernel that must spill is called red

Another nvcc than that of the table (its first line) has other registers: then only spills are looked at, and it says so.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ARCHITECTURES = ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"]
FLAGS = ["-std=c++20", "-O3", "-DNDEBUG", "-fmad=false", "-Xptxas", "-v", "-cubin"]
SPILLS = """
__global__ void __launch_bounds__(1024, 2) spills(float* x) {
  float kept[64];
  for (int i = 0; i < 64; ++i) kept[i] = x[i * 1024 + threadIdx.x];
  for (int turn = 0; turn < 8; ++turn)
    for (int i = 0; i < 64; ++i) kept[i] = kept[i] * kept[(i + 1) % 64] + kept[(i + 7) % 64];
  for (int i = 0; i < 64; ++i) x[i * 1024 + threadIdx.x] = kept[i];
}
"""


def version(nvcc):
    return re.search(r"V([\d.]+)", subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout)[1]


def short(name):
    """retrial::nn::protocol::(anonymous namespace)::sgd_list<true>(...) is nn::protocol::sgd_list<true>."""
    plain = subprocess.run(["c++filt", name], capture_output=True, text=True, check=True).stdout.strip()
    plain = plain.replace("(anonymous namespace)::", "").removeprefix("void ").removeprefix("retrial::")
    return plain.partition("(")[0].replace(" ", "")


def kernels_of(root, nvcc, source, architecture):
    """{kernel: (registers, bytes spilled)}"""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([nvcc, *FLAGS, f"-arch={architecture}", "-I", str(root), str(source), "-o", f"{folder}/x"],
                              capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{source}: {architecture}: nvcc failed\n{done.stderr}")
    found, name = {}, None
    for line in (done.stdout + done.stderr).splitlines():
        if entry := re.search(r"Compiling entry function '(\S+)'", line):
            name = short(entry[1])
        elif spilled := re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", line):
            stores, loads = int(spilled[1]), int(spilled[2])
        elif used := re.search(r"Used (\d+) registers", line):
            found[name] = (int(used[1]), stores + loads)
    return found


def all_kernels(root, nvcc):
    sources = sorted(path for top in ("determinism", "workloads") for path in (root / top).glob("**/*.cu"))
    return {(kernel, architecture): values for source in sources for architecture in ARCHITECTURES
            for kernel, values in kernels_of(root, nvcc, source, architecture).items()}


def table_of(nvcc_version, found):
    kernels = sorted({kernel for kernel, _ in found})
    width = max(map(len, kernels))
    lines = [f"nvcc {nvcc_version}; registers a thread, no spill (tests/house/kernels.py --write)",
             " ".join(["kernel".ljust(width), *(name.rjust(6) for name in ARCHITECTURES)])]
    lines += [" ".join([kernel.ljust(width), *(str(found[kernel, name][0]).rjust(6) for name in ARCHITECTURES)])
              for kernel in kernels]
    return "\n".join(lines) + "\n"


def spills_in(found):
    return [f"{kernel} on {architecture} spills {spilled} bytes"
            for (kernel, architecture), (_, spilled) in sorted(found.items()) if spilled]


def planted(root, nvcc):
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "spills.cu"
        source.write_text(SPILLS)
        found = {(kernel, "sm_90"): values for kernel, values in kernels_of(root, nvcc, source, "sm_90").items()}
    print("\n".join(spills_in(found)))
    return 0 if spills_in(found) else 1


def main(root, nvcc, table, option=""):
    root = Path(root)
    if table == "--planted":
        return planted(root, nvcc)
    found, used = all_kernels(root, nvcc), version(nvcc)
    drawn, wrong = table_of(used, found), spills_in(found)
    if option == "--write" and not wrong:
        Path(table).write_text(drawn)
        return 0
    kept = Path(table).read_text()
    if kept.startswith(f"nvcc {used};"):
        wrong += [f"not in the table: {line}" for line in drawn.splitlines() if line not in kept.splitlines()]
        wrong += [f"in the table alone: {line}" for line in kept.splitlines() if line not in drawn.splitlines()]
    else:
        print(f"nvcc {used} is not that of the table ({kept.partition(';')[0]}): only spills are looked at")
    print("\n".join(wrong) or f"{len(found)} kernels, no spill")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
