"""packages.py PROGRAMS BUILD SCRATCH: the wheels and the Debian package, made from finished programs, installed and used.

PROGRAMS is a folder with retrial and retrial-worker, both built without LibTorch; BUILD is a build folder, whose statistics are
compiled into a wheel, or "none" where they cannot be (sanitizers). Exit code 77: a tool is missing."""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

root = pathlib.Path(__file__).resolve().parents[2]
programs, scratch = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[3]).resolve()
build = None if sys.argv[2] == "none" else pathlib.Path(sys.argv[2]).resolve()


def run(*words, **settings):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **settings)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def demand(condition, problem):
    if not condition:
        sys.exit(problem)


def use(front_end, name):
    """One small study of a user's own program, run and judged by an installed front end."""
    folder = scratch / name
    folder.mkdir()
    # Exactly what a new shell has, so that nothing of the build is found by accident.
    clean = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    run(front_end, "run", "--command", "a=sh -c 'echo acc=$((1 + $0 % 100))' {seed}",
        "--command", "b=sh -c 'echo acc=$((300 + $0 % 100))' {seed}", "--read", "acc", "--higher", "--pairs", "8",
        "--seed", "1", cwd=folder, env=clean)
    page = run(front_end, "compare", "command.db", cwd=folder, env=clean)
    demand("b is BETTER than a" in page, f"{name}: no verdict\n{page}")


def contents(file):
    names = zipfile.ZipFile(file).namelist()
    grafted = [n for n in names if ".libs/" in n and ".so" in n]
    licenses = [n for n in names if ".dist-info/licenses/" in n]
    for library in ("libboost_program_options", "libre2", "libsqlite3", "libpng16", "libjpeg"):
        demand(any(library in n for n in grafted), f"{library} is not in {file.name}: {grafted}")
        demand(any(library.replace("_", "-") in n for n in licenses), f"no license of {library}: {licenses}")
    return names, licenses


def plain_wheel(python, install):
    run(root / "scripts/wheel", "--programs", programs, *statistics(), "--into", scratch / "dist")
    (file,) = (scratch / "dist").glob("*-py3-none-manylinux_2_35_x86_64.whl")
    demand(not any("_native" in n for n in contents(file)[0]), "a compiled part is in the wheel for every Python")
    run(python, *install, file)
    use(scratch / "venv/bin/retrial", "from_wheel")
    loaded = run("ldd", next((scratch / "venv").glob("lib/python3*/site-packages/retrial/bin/retrial")))
    demand("retrial.libs" in loaded, f"the libraries of the wheel are not used:\n{loaded}")
    script = "import retrial\nretrial.log(acc=0.5)\ntry: retrial.tests()\nexcept ImportError as problem: print(problem)"
    said = run(python, "-c", script, cwd=scratch)
    demand("no compiled statistics for this Python" in said, f"not said what is missing:\n{said}")


def statistics():
    if build is None:
        return ()
    run("cmake", "--install", build, "--component", "variance", "--prefix", scratch / "statistics")
    return "--statistics", scratch / "statistics"


def compiled_wheel(python, install):
    this = f"cp3{sys.version_info.minor}"
    (file,) = (scratch / "dist").glob(f"*-{this}-{this}-manylinux_2_35_x86_64.whl")
    names, licenses = contents(file)
    demand(any("retrial/_native" in n for n in names), f"no compiled part: {names}")
    for library in ("nanobind", "robin_map", "libboost-dev"):
        demand(any(library in n for n in licenses), f"no license of {library}: {licenses}")
    # Of both wheels, pip takes the one with the compiled part.
    run(python, *install, "--force-reinstall", "--find-links", scratch / "dist", "retrial")
    test = [python, root / "tests/python/statistics_module.py", scratch / "venv/bin/retrial"]
    done = subprocess.run(test, cwd=scratch, env={**os.environ, **peers()}, check=False)
    demand(done.returncode == 0, "the statistics in Python: see above")


def peers():
    """NumPy and SciPy of the environment of peers, where it was made (tests/measure/peers/environment.py statistics --make)."""
    found = subprocess.run([sys.executable, root / "tests/measure/peers/environment.py", "statistics"], capture_output=True,
                           text=True, check=False)  # fmt: skip
    if found.returncode != 0:
        return {}
    script = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    return {"PYTHONPATH": run(found.stdout.strip(), "-c", script).strip()}


def wheels():
    run(sys.executable, "-m", "venv", scratch / "venv")
    python, install = scratch / "venv/bin/python", ("-m", "pip", "install", "--quiet", "--no-index", "--no-deps")
    plain_wheel(python, install)
    if build is None:
        print("left out: the compiled part of the Python module, since the statistics are built with sanitizers")
    else:
        compiled_wheel(python, install)


def debian():
    folder = scratch / "packages"
    run("cmake", "-S", root, "-B", folder, f"-DRETRIAL_PROGRAMS={programs}")
    run("cpack", "-G", "DEB;TGZ", cwd=folder)
    (deb,), (archive,) = folder.glob("*.deb"), folder.glob("*.tar.gz")
    needs = run("dpkg-deb", "--field", deb, "Depends")
    for library in ("libsqlite3-0", "libre2-", "libboost-program-options"):
        demand(library in needs, f"the Debian package does not depend on {library}: {needs}")
    run("dpkg-deb", "-x", deb, scratch / "deb")
    use(scratch / "deb/usr/bin/retrial", "from_deb")
    demand((scratch / "deb/usr/share/man/man1/retrial-compare.1").exists(), "no manual page in the Debian package")
    for name in ("copyright", "licenses/libsqlitecpp-dev.txt", "licenses/nlohmann-json3-dev.txt"):
        demand((scratch / "deb/usr/share/doc/retrial" / name).exists(), f"no {name} in the Debian package")
    (scratch / "tar").mkdir()
    run("tar", "-xzf", archive, "-C", scratch / "tar", "--strip-components=1")
    use(scratch / "tar/bin/retrial", "from_archive")


def gate_of_cmake(prefix):
    """retrial_add_gate of the installed package: two builds of six kernels, the second with one that is 5 % longer."""
    for document in ("gate", "watch", "history"):
        demand((prefix / f"share/retrial/schema/{document}.json").exists(), f"no schema of {document}")
    if shutil.which("valgrind") is None:
        print("left out: the gate of CMake, since valgrind is missing (scripts/setup --test)")
        return
    shutil.copytree(root / "tests/ci/kernels", scratch / "kernels")
    source = scratch / "kernels/bench.cpp"

    def built(name, *options):
        run("cmake", "-S", scratch / "kernels", "-B", scratch / name, "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_PREFIX_PATH={prefix}",
            *options)
        run("cmake", "--build", scratch / name)
        return subprocess.run(["ctest", "--output-on-failure"], cwd=scratch / name, capture_output=True, text=True, check=False)

    alone = built("base")
    demand("***Not Run (Disabled)" in alone.stdout, f"a gate without a baseline is not shown as disabled:\n{alone.stdout}")
    same = built("same", f"-DRETRIAL_GATE_BASELINE={scratch / 'base'}")
    demand(same.returncode == 0 and "100% tests passed" in same.stdout, f"equal programs:\n{same.stdout}")
    source.write_text(source.read_text().replace("11, 100", "11, 105"))
    slower = built("slower", f"-DRETRIAL_GATE_BASELINE={scratch / 'base'}")
    demand(slower.returncode != 0 and "REGRESSED: 1 of 6 claims" in slower.stdout, f"a longer kernel:\n{slower.stdout}")


for tool in ("dpkg-shlibdeps", "dpkg-deb", "cpack"):
    if shutil.which(tool) is None:
        print(f"left out: no {tool} (scripts/setup --wheel)")
        sys.exit(77)
if not (root / ".deps/wheel-tools/complete").exists():
    print("left out: the tools that make a wheel are not in .deps (scripts/setup --wheel)")
    sys.exit(77)
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
wheels()
debian()
gate_of_cmake(scratch / "deb/usr")
print("wheels, Debian package and archive: made, installed, used")
