#include "workloads/interface/script_name.hpp"

#include "tests/catch.hpp"
#include "workloads/interface/registry.hpp"

namespace retrial::tests::script_name_tests {

using namespace workloads;
using std::string_literals::operator""s;

TEST_CASE("a script is named by 64 hex digits in lower case, and by nothing else") {
  const std::string digest(64, 'a');
  CHECK(script_digest("script:" + digest) == digest);
  CHECK(script_name(digest) == "script:" + digest);
  CHECK(names_script("script:net.pt"));
  CHECK(script_part("script:net.pt") == "net.pt");
  for (const std::string& other : {"script:net.pt"s, "script:"s, "mlp:32"s, "script:" + std::string(63, 'a'),
                                   "script:" + std::string(64, 'A'), "script:" + std::string(65, 'a')})
    CHECK_FALSE(script_digest(other));
}

TEST_CASE("the scripts of a trial are those of the keys that it reads") {
  const auto& distillation = find_workload("distillation", "");
  const std::string a(64, 'a'), b(64, 'b');
  Values values = resolved(distillation, {{"student", script_name(a)}, {"teacher", script_name(b)}});
  const auto found = scripts_read(distillation, values);
  REQUIRE(found.size() == 2);
  CHECK(found[0].key == "student");
  CHECK(found[0].digest == a);
  CHECK(found[1].key == "teacher");
  CHECK(found[1].digest == b);
  values["method"] = std::string("ce");  // reads no teacher
  CHECK(scripts_read(distillation, values).size() == 1);
  CHECK(scripts_read(find_workload("null", ""), resolved(find_workload("null", ""), {})).empty());
}

}  // namespace retrial::tests::script_name_tests
