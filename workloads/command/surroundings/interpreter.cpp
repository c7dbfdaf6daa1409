#include "workloads/command/surroundings/interpreter.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "results/text/error.hpp"
#include "results/text/text.hpp"
#include "workloads/command/line/interpreters.hpp"
#include "workloads/command/process/process.hpp"
#include "workloads/command/surroundings/question.hpp"

namespace retrial::workloads::command::inline surroundings {

namespace {

namespace fs = std::filesystem;

/// Prints one line that begins with '@': a module of the user that is named like one of the standard library, and
/// anything that a sitecustomize prints, must not reach it. Arguments: script, folder of the script, module of -m.
constexpr const char* python_question = R"(
import sys
sys.path[:] = [p for p in sys.path if p]
import ast, json, os
packages = None
try:
    from importlib.metadata import distributions
    packages = {}
    for d in distributions():
        name = d.metadata["Name"]
        if name: packages.setdefault(name, d.version)
except ImportError:
    pass
conda, meta = None, os.path.join(sys.prefix, "conda-meta")
if os.path.isdir(meta):
    conda = sorted(f[:-5] for f in os.listdir(meta) if f.endswith(".json"))
installed = {os.path.realpath(p) for p in (sys.prefix, sys.base_prefix, sys.exec_prefix)}
def own(p):
    real = os.path.realpath(p)
    if not os.path.isdir(real) or "site-packages" in real or "dist-packages" in real: return False
    return not any(real == i or real.startswith(os.path.join(i, "lib")) for i in installed)
path = [p for p in sys.path if own(p)]
def sources_of(name, folders):
    found, parts = [], name.split(".")
    for folder in folders:
        for i in range(1, len(parts) + 1):
            at = os.path.join(folder, *parts[:i])
            found += [f for f in (at + ".py", os.path.join(at, "__init__.py")) if os.path.isfile(f)]
        if found: break
    return found
def imported_by(source, folders):
    try:
        with open(source, "rb") as f: tree = ast.parse(f.read())
    except (OSError, SyntaxError, ValueError):
        return []
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names: found += sources_of(alias.name, folders)
        elif isinstance(node, ast.ImportFrom):
            at, base = folders, node.module or ""
            if node.level:
                up = os.path.dirname(source)
                for _ in range(node.level - 1): up = os.path.dirname(up)
                at = [up]
            for alias in node.names: found += sources_of((base + "." + alias.name).strip("."), at)
    return found
script, folder, module = sys.argv[1:4]
folders = [folder] + path
modules, todo = set(), [script] if script else sources_of(module, folders) if module else []
if module: modules.update(todo)
while todo:
    for source in imported_by(todo.pop(), folders):
        if source not in modules and source != script:
            modules.add(source)
            todo.append(source)
writes = not sys.dont_write_bytecode and getattr(sys, "pycache_prefix", None) is None
print("\n@" + json.dumps({"version": " ".join(sys.version.split()), "executable": sys.executable, "packages": packages,
    "conda": conda, "tag": sys.implementation.cache_tag if writes else "", "path": path, "modules": sorted(modules)}))
)";

Json python_answer(const std::string& output) {
  const auto at = output.rfind("\n@");
  if (at == std::string::npos) return nullptr;
  const auto end = output.find('\n', at + 1);
  return results::parse_json(output.substr(at + 2, end == std::string::npos ? end : end - at - 2), "python");
}

bool is_python(const fs::path& file) {
  const auto name = plain_name(file.string());
  return name == "python" || name == "pypy";
}

Interpreter python_at(const fs::path& file, const fs::path& workdir, const Script& script, Json facts) try {
  const auto answer =
      ask({file.string(), "-c", python_question, script.file.string(), script.folder.string(), script.module}, workdir);
  const Json said = answer.given ? python_answer(answer.text) : Json();
  if (said.is_null())
    return {.facts = std::move(facts),
            .packages_note = "it did not tell its packages: " + (answer.given ? "no answer" : answer.text)};
  facts["version"] = said.at("version");
  facts["real_file"] = said.at("executable");
  Interpreter found{.facts = std::move(facts), .packages = said.at("packages"), .conda = said.at("conda")};
  if (found.packages.is_null()) found.packages_note = "Python before 3.8 does not list its packages";
  if (said.at("tag").is_string()) found.bytecode_tag = said.at("tag").get<std::string>();
  for (const auto& folder : said.at("path")) found.own_folders.emplace_back(folder.get<std::string>());
  for (const auto& module : said.at("modules")) found.modules.emplace_back(module.get<std::string>());
  return found;
} catch (const std::exception& error) {
  return {.facts = {{"file", file.string()}},
          .packages_note = "it did not tell its packages: " + results::one_line(error.what(), 200)};
}

/// Interpreters of which `--version` prints a line and runs nothing of the user's.
bool tells_its_version(const std::string& name) {
  constexpr std::array<std::string_view, 10> known{"R",    "Rscript", "bash", "deno", "julia",
                                                   "node", "octave",  "perl", "php",  "ruby"};
  return std::ranges::find(known, name) != known.end();
}

Interpreter asked(const fs::path& file, const fs::path& workdir, const Script& script) {
  std::error_code ignored;
  Json facts{{"file", file.string()}};
  if (const auto real = fs::canonical(file, ignored); !ignored && real != file) facts["real_file"] = real.string();
  if (is_python(file)) return python_at(file, workdir, script, std::move(facts));
  const auto name = plain_name(file.string());
  Interpreter found{.facts = std::move(facts), .packages_note = name + " is not asked for packages"};
  if (tells_its_version(name))
    if (const auto answer = ask({file.string(), "--version"}, workdir); answer.given) {
      const auto begin = answer.text.find_first_not_of('\n');
      if (begin != std::string::npos)
        found.facts["version"] =
            results::one_line(answer.text.substr(begin, answer.text.find('\n', begin) - begin), 200);
    }
  return found;
}

}  // namespace

std::optional<fs::path> interpreter_of(const std::vector<std::string>& words, const fs::path& workdir) {
  if (words.empty()) return std::nullopt;
  const auto program = program_file(words[place_of_program(words)], workdir);
  if (!program) return std::nullopt;
  // For an interpreter that is itself a script (a shim of pyenv), the name counts.
  const auto shebang = runs_scripts(program->string()) ? std::vector<std::string>{} : shebang_of(*program);
  if (shebang.empty()) return fs::absolute(*program);
  const auto named = program_file(shebang[place_of_program(shebang)], workdir);
  return named ? fs::absolute(*named) : fs::absolute(*program);
}

const Interpreter& interpreter_at(const fs::path& file, const fs::path& workdir, const Script& script) {
  static std::map<std::vector<std::string>, Interpreter> known;
  const auto [found, fresh] =
      known.try_emplace({file.string(), workdir.string(), script.file.string(), script.folder.string(), script.module});
  if (fresh) found->second = asked(file, workdir, script);
  return found->second;
}

}  // namespace retrial::workloads::command::inline surroundings
