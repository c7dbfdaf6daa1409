#!/usr/bin/env python3
"""Completion in the shells themselves, and the manual pages in groff.

Each shell loads the script that the program prints and is asked what it would offer: bash through its own completion
variables, fish through `complete -C`, zsh on a pseudo-terminal by typing the Tab key.
  shells.py RETRIAL
"""
import os, pty, select, subprocess, sys, tempfile, time

retrial = os.path.abspath(sys.argv[1])
env = {**os.environ, "PATH": os.path.dirname(retrial) + ":" + os.environ["PATH"], "TERM": "dumb", "LC_ALL": "C.UTF-8"}
failures = []


def expect(what, found, wanted):
    if found != wanted:
        failures.append(f"{what}: {found!r} instead of {wanted!r}")


def script(shell):
    path = os.path.join(folder, "retrial." + shell)
    with open(path, "wb") as file:
        file.write(subprocess.run([retrial, "--generate", shell], check=True, stdout=subprocess.PIPE).stdout)
    return path


def bash(line):
    code = f'source {script("bash")}; COMP_LINE="$1" COMP_POINT=${{#1}}; _retrial; printf "%s\\n" "${{COMPREPLY[@]}}"'
    run = subprocess.run(["bash", "--norc", "-c", code, "bash", line], cwd=folder, env=env, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    return [word for word in run.stdout.split("\n") if word]


def fish(line):
    code = f'source {script("fish")}; complete -C "{line}"'
    run = subprocess.run(["fish", "--no-config", "-c", code], cwd=folder, env=env, stdout=subprocess.PIPE, text=True)
    return [word.split("\t")[0] for word in run.stdout.split("\n") if word]


def zsh(line):
    """Types the line and Tab; what zsh has put on the line then is printed by a widget on Control-X."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execvpe("zsh", ["zsh", "-f", "-i"], {**env, "PS1": "", "ZDOTDIR": folder})
    seen = b""

    def until(mark):
        nonlocal seen
        end = time.monotonic() + 30
        while mark not in seen and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                try:
                    seen += os.read(terminal, 65536)
                except OSError:
                    break
        return mark in seen

    setup = (f"autoload -Uz compinit; compinit -u -D; source {script('zsh')}; "
             "tell() { print -r -- \"<<$BUFFER>>\" > told; print DO''NE }; zle -N tell; bindkey '^X' tell; print REA''DY\n")
    os.write(terminal, setup.encode())
    until(b"READY")
    os.write(terminal, line.encode() + b"\t\x18")
    until(b"DONE")
    os.write(terminal, b"\x03exit\n")
    os.close(terminal)
    os.waitpid(pid, 0)
    told = os.path.join(folder, "told")
    return open(told).read().strip() if os.path.exists(told) else "(nothing)"


def manual(words):
    page = subprocess.run([retrial, "--generate", "man", *words], check=True, stdout=subprocess.PIPE).stdout
    shown = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-P-cbou"], input=page, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE)
    expect("groff on the manual of " + " ".join(words), shown.stderr.decode(), "")
    return shown.stdout.decode()


with tempfile.TemporaryDirectory() as folder:
    open(os.path.join(folder, "study.toml"), "w").write(
        'schema = 1\nworkload = "null"\n[variant.left]\n[variant.right]\n')
    expect("bash", bash("retrial comp"), ["compare"])
    expect("bash", bash("retrial run study.toml --candidate ri"), ["right"])
    expect("bash, behind a sign at which it cuts words", bash("retrial compare --require=be"), ["better"])
    expect("fish", fish("retrial comp"), ["compare"])
    expect("fish", fish("retrial run st"), ["study.toml"])
    expect("zsh", zsh("retrial comp"), "<<retrial compare >>")
    expect("zsh, a word to be continued", zsh("retrial run distillation --set tempe"),
           "<<retrial run distillation --set temperature=>>")
    commands = [line.split("\t")[0] for line in
                subprocess.run([retrial, "--complete", "--", ""], stdout=subprocess.PIPE, text=True).stdout.splitlines()]
    if "is this difference real" not in " ".join(manual([]).split()):
        failures.append("the manual of retrial lacks its first sentence")
    for command in commands:
        if "EXIT STATUS" not in manual([command]):
            failures.append(f"the manual of {command} lacks its exit status")

print("\n".join(failures) or "bash, fish, zsh and groff agree")
sys.exit(1 if failures else 0)
