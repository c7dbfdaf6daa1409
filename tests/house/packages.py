"""packages.py PROGRAMS SCRATCH: the wheel and the Debian package, made from finished programs, installed and used.

PROGRAMS is a folder with retrial and retrial-worker, both built without LibTorch. Exit code 77: a tool is missing."""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

root = pathlib.Path(__file__).resolve().parents[2]
programs, scratch = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()


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


def wheel():
    run(root / "scripts/wheel", "--programs", programs, "--into", scratch / "dist")
    (file,) = (scratch / "dist").glob("*.whl")
    demand(file.name.endswith("-py3-none-manylinux_2_35_x86_64.whl"), f"unexpected name {file.name}")
    names = zipfile.ZipFile(file).namelist()
    grafted = [n for n in names if ".libs/" in n and ".so" in n]
    licenses = [n for n in names if ".dist-info/licenses/lib" in n]
    for library in ("libboost_program_options", "libre2", "libsqlite3", "libpng16", "libjpeg"):
        demand(any(library in n for n in grafted), f"{library} is not in the wheel: {grafted}")
        demand(any(library.replace("_", "-") in n for n in licenses), f"no license of {library}: {licenses}")
    run("python3", "-m", "venv", scratch / "venv")
    python = scratch / "venv/bin/python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", file)
    use(scratch / "venv/bin/retrial", "from_wheel")
    loaded = run("ldd", next((scratch / "venv").glob("lib/python3*/site-packages/retrial/bin/retrial")))
    demand("retrial.libs" in loaded, f"the libraries of the wheel are not used:\n{loaded}")
    run(python, "-c", "import retrial; retrial.log(acc=0.5)", cwd=scratch)


def debian():
    build = scratch / "packages"
    run("cmake", "-S", root, "-B", build, f"-DRETRIAL_PROGRAMS={programs}")
    run("cpack", "-G", "DEB;TGZ", cwd=build)
    (deb,), (archive,) = build.glob("*.deb"), build.glob("*.tar.gz")
    needs = run("dpkg-deb", "--field", deb, "Depends")
    for library in ("libsqlite3-0", "libre2-", "libboost-program-options"):
        demand(library in needs, f"the Debian package does not depend on {library}: {needs}")
    run("dpkg-deb", "-x", deb, scratch / "deb")
    use(scratch / "deb/usr/bin/retrial", "from_deb")
    demand((scratch / "deb/usr/share/man/man1/retrial-compare.1").exists(), "no manual page in the Debian package")
    (scratch / "tar").mkdir()
    run("tar", "-xzf", archive, "-C", scratch / "tar", "--strip-components=1")
    use(scratch / "tar/bin/retrial", "from_archive")


for tool in ("dpkg-shlibdeps", "dpkg-deb", "cpack"):
    if shutil.which(tool) is None:
        print(f"left out: no {tool} (scripts/setup --wheel)")
        sys.exit(77)
if not (root / ".deps/wheel-tools/complete").exists():
    print("left out: the tools that make a wheel are not in .deps (scripts/setup --wheel)")
    sys.exit(77)
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
wheel()
debian()
print("wheel, Debian package and archive: made, installed, used")
