// check --cpu: programs and a workload natively and under emulated CPUs. What each CPU has is known from the processors
// themselves: Sandy Bridge (2011) has no AVX2, Haswell (2013) and EPYC (2017) have it; EPYC is AMD's.
#include "tests/catch.hpp"
#include "tests/harness/program/program.hpp"

#include <filesystem>

namespace retrial::tests::other_cpus_tests {

namespace {

bool has_emulator() {
  for (const std::string folder : {"/usr/bin/", "/usr/local/bin/"})
    if (std::filesystem::exists(folder + "qemu-x86_64")) return true;
  WARN("left out: no qemu-x86_64 (Debian package qemu-user)");
  return false;
}

const std::string program = RETRIAL_BINARY_DIR "/bin/cpu_program";

Ran check(const std::string& command, const std::string& cpus, const std::vector<std::string>& more = {"--json"}) {
  const Folder folder;
  std::vector<std::string> line{"check", "--command", command, "--read", "acc", "--higher", "--cpu", cpus};
  line.insert(line.end(), more.begin(), more.end());
  return run_retrial(folder, line);
}

/// A field of the run on the n-th CPU; 0 is the native one.
std::string of_run(const Ran& ran, int number, const std::string& name) {
  return field(ran.out, "variants.0.runs." + std::to_string(number) + "." + name);
}

}  // namespace

TEST_CASE("a program that does not ask for the CPU is equal on all", "[needs-qemu]") {
  if (!has_emulator()) return;
  const auto ran = check(program + " clean {seed}", "SandyBridge,EPYC");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK(of_run(ran, 0, "result") == "native");
  CHECK(of_run(ran, 1, "result") == "equal");
  CHECK(of_run(ran, 2, "result") == "equal");
  CHECK(of_run(ran, 2, "emulated") == "EPYC");
  CHECK(field(ran.out, "models.1.vendor") == "AuthenticAMD");
}

TEST_CASE("a program that asks for AVX2 differs where there is none, and from there on only", "[needs-qemu]") {
  if (!has_emulator()) return;
  const auto ran = check(program + " avx2 {seed}", "Haswell,SandyBridge,IvyBridge");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  // Whichever this CPU is, the two without AVX2 agree and Haswell is not one of them.
  CHECK(of_run(ran, 1, "result") != of_run(ran, 2, "result"));
  CHECK(of_run(ran, 3, "result") == of_run(ran, 2, "result"));
  CHECK(of_run(ran, 3, "same_as") == (of_run(ran, 2, "result") == "equal" ? "native" : "SandyBridge"));
  const auto curve = check(program + " curve {seed}", "Haswell,SandyBridge", {"--read-curve", "acc", "--json"});
  INFO(curve.out << curve.err);
  const int other = of_run(curve, 1, "result") == "equal" ? 2 : 1;
  CHECK(of_run(curve, other, "difference.what") == "metric acc");
  CHECK(of_run(curve, other, "difference.step") == "3");
}

TEST_CASE("a difference that OPENBLAS_CORETYPE ends is found out", "[needs-qemu]") {
  if (!has_emulator()) return;
  const auto ran = check(program + " vendor {seed}", "Haswell,EPYC");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK(of_run(ran, 1, "result") != of_run(ran, 2, "result"));
  const auto remark = field(ran.out, "variants.0.remarks.0");
  CHECK_THAT(remark, has_text("likely cause: OpenBLAS (NumPy, SciPy) chooses its kernels by CPU"));
  CHECK_THAT(remark, has_text("export OPENBLAS_CORETYPE=Haswell"));
  // Without the runs under other settings there is no such remark, and the verdict is the same.
  const auto without = check(program + " vendor {seed}", "Haswell,EPYC", {"--no-interrupt", "--json"});
  CHECK(without.code == 1);
  CHECK_THAT(without.out, has_text("\"remarks\":[]"));
}

TEST_CASE("a program that dies on one CPU costs the trial on that one", "[needs-qemu]") {
  if (!has_emulator()) return;
  const auto ran = check(program + " killed {seed}", "SandyBridge,Haswell");
  INFO(ran.out << ran.err);
  CHECK(ran.code == 5);
  CHECK(of_run(ran, 1, "result") == "failed");
  CHECK_THAT(of_run(ran, 1, "failure"), has_text("command.signal"));
  CHECK(of_run(ran, 2, "result") == "equal");
}

TEST_CASE("what a program starts is not emulated, and then an equal number is no answer", "[needs-qemu]") {
  if (!has_emulator()) return;
  const auto ran = check("sh -c '" + program + " avx2 {seed}; :'", "SandyBridge,Haswell", {});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 3);
  CHECK_THAT(ran.out, has_text("cannot tell"));
  CHECK_THAT(ran.out, has_text("not emulated: " + program));
  // Through env it is one program, and emulated.
  CHECK(check("env A=1 " + program + " avx2 {seed}", "SandyBridge,Haswell").code == 1);
}

TEST_CASE("what differs between two runs on this CPU is no difference between CPUs", "[needs-qemu]") {
  if (!has_emulator()) return;
  const Folder folder;
  const auto ran = run_retrial(folder, {"check", "null", "--set", "defect=unseeded", "--cpu", "Haswell", "--json"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 3);
  CHECK(of_run(ran, 1, "result") == "cannot tell");
  CHECK(of_run(ran, 1, "repeats_natively") == "false");
  CHECK_THAT(field(ran.out, "variants.0.remarks.0"), has_text("two runs on this CPU differ too: "));
}

TEST_CASE("a workload runs in an emulated worker, which says so itself", "[needs-qemu]") {
  if (!has_emulator()) return;
  const Folder folder;
  const auto ran = run_retrial(folder, {"check", "null", "--set", "epochs=3", "--cpu", "Haswell,EPYC-Rome", "--json"});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 0);
  CHECK(of_run(ran, 1, "result") == "equal");
  CHECK(of_run(ran, 2, "result") == "equal");
  CHECK_THAT(ran.err, !has_text("TCG doesn't support"));
}

TEST_CASE("an emulator that ends, is killed or does not emulate costs the trials of its model, no others") {
  const Folder folder;
  write_file(folder / "qemu-x86_64",
             "#!/bin/sh\n"
             "model=$2; shift 2\n"
             "case \"$model $*\" in\n"
             "'help ') printf 'Available CPUs:\\nx86 Ends\\nx86 Killed\\nx86 Native\\n\\n' ;;\n"
             "*--print-cpu) echo '{\"avx2\":true,\"avx512\":false,\"name\":\"N\",\"vendor\":\"V\"}' ;;\n"
             "Ends*) echo gone >&2; exit 9 ;;\n"
             "Killed*) kill -9 $$ ;;\n"
             "*) exec \"$@\" ;;\n"
             "esac\n");
  std::filesystem::permissions(folder / "qemu-x86_64", std::filesystem::perms::owner_all);
  const auto ran = run_retrial(folder, {"check", "null", "--set", "epochs=3", "--cpu", "Ends,Killed,Native", "--json"},
                               {{"PATH", folder.path.string() + ":/usr/bin:/bin"}});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 5);
  for (const int cpu : {1, 2, 3}) CHECK(of_run(ran, cpu, "result") == "failed");
  CHECK_THAT(of_run(ran, 1, "failure"), has_text("exited with code 9") && has_text("gone"));
  CHECK_THAT(of_run(ran, 2, "failure"), has_text("killed by signal 9"));
  CHECK_THAT(of_run(ran, 3, "failure"), has_text("cpu.not_emulated: the worker ran natively, not under Native"));
}

TEST_CASE("a model without the kernels of the mode is refused with those that have them", "[needs-qemu]") {
  if (!has_emulator()) return;
  const Folder folder;
  const auto refused = run_retrial(folder, {"check", "null", "--mode", "portable", "--cpu", "SandyBridge"});
  CHECK(refused.code == 2);
  CHECK_THAT(refused.err, has_text("--cpu = SandyBridge: has no AVX2, which kernel mode portable needs"));
  CHECK_THAT(refused.err, has_text("EPYC-Milan") && has_text("Haswell") && !has_text("IvyBridge"));
  const auto unknown = run_retrial(folder, {"check", "null", "--cpu", "haswel"});
  CHECK(unknown.code == 2);
  CHECK_THAT(unknown.err, has_text("unknown CPU model") && has_text("did you mean Haswell?"));
  const auto narrow = run_retrial(folder, {"check", "null", "--cpu", "pentium3"});
  CHECK(narrow.code == 2);
  CHECK_THAT(narrow.err, has_text("runs no 64-bit programs"));
}

TEST_CASE("the list says what a model shows, and what of the real CPU is missing", "[needs-qemu]") {
  if (!has_emulator()) return;
  const Folder folder;
  const auto list = run_retrial(folder, {"check", "--cpu", "list"});
  INFO(list.out << list.err);
  CHECK(list.code == 0);
  const auto line_of = [&](const std::string& model) {
    const auto begin = list.out.find("\n  " + model + " ") + 1;
    return list.out.substr(begin, list.out.find('\n', begin) - begin);
  };
  CHECK_THAT(line_of("Haswell"), has_text("Intel") && has_text("yes") && has_text("no"));
  CHECK_THAT(line_of("EPYC-Rome"), has_text("AMD"));
  // Skylake's server cores were the first with AVX-512 (2017).
  CHECK_THAT(line_of("Skylake-Server"), has_text("not emulated") && has_text("avx512f"));
  CHECK_THAT(list.out, !has_text("pentium3") && !has_text("Haswell-v1"));
}

TEST_CASE("products of NumPy differ by the kernels that OpenBLAS picks, and agree when it is told which to use",
          "[slow][needs-numpy]") {
  const std::string packages = RETRIAL_SOURCE_DIR "/.deps/numpy", python = "/usr/bin/python3.11";
  if (!has_emulator()) return;
  if (!std::filesystem::exists(packages) || !std::filesystem::exists(python)) {
    WARN("left out: no NumPy in .deps, or no " << python << " (scripts/setup --test)");
    return;
  }
  const Folder folder;
  write_file(folder / "products.py",
             "import sys\n"
             "import numpy as np\n"
             "g = np.random.default_rng(int(sys.argv[1]))\n"
             "a = g.standard_normal((64, 96)).astype('float32')\n"
             "b = g.standard_normal((96, 48)).astype('float32')\n"
             "c = a @ b\n"
             "print('acc=%.17g' % float((c * c).sum(dtype='float64')))\n");
  const auto ran = run_retrial(folder,
                               {"check", "--command", python + " products.py {seed}", "--read", "acc", "--higher",
                                "--cpu", "Haswell,SandyBridge", "--json"},
                               {{"PYTHONPATH", packages}});
  INFO(ran.out << ran.err);
  CHECK(ran.code == 1);
  CHECK(of_run(ran, 2, "result") == "different");
  CHECK(of_run(ran, 2, "same_as") == "null");
  if (field(ran.out, "native.avx512") == "true") {
    CHECK(of_run(ran, 1, "result") == "different");
    CHECK_THAT(
        field(ran.out, "variants.0.remarks.0"),
        has_text("with OPENBLAS_CORETYPE=Haswell they agree (native, Haswell); export OPENBLAS_CORETYPE=Haswell"));
  }
}

}  // namespace retrial::tests::other_cpus_tests
