# The negative control of workload_names.cmake: each planted line must be found, and each correct counterpart must not.
macro(look_at file line)
  file(REMOVE_RECURSE ${SCRATCH})
  file(WRITE ${SCRATCH}/${file} "// first\n${line}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} "-DNAMES=null;command;survey" -P ${CHECK}
    RESULT_VARIABLE status ERROR_VARIABLE text OUTPUT_QUIET)
endmacro()

set(planted
  "harness/a.cpp" "if (row.method == \"survey\") return"
  "harness/b.hpp" "/// What a Teacher is worth."
  "results/a.cpp" "void prune(Node& node)"
  "determinism/a.cpp" "{\"student\", \"the network that learns\"},"
  "variance/a.hpp" "#include \"workloads/distillation/methods/methods.hpp\""
  "harness/c.cpp" "const bool own = study.workload == \"command\""
  "harness/d.cpp" "const auto& declaration = find_workload(\"null\", \"\")")
while(planted)
  list(POP_FRONT planted file line)
  look_at(${file} "${line}")
  if(status EQUAL 0 OR NOT text MATCHES "${file}:2")
    message(FATAL_ERROR "not found: ${line} in ${file}\n${text}")
  endif()
endwhile()

set(sound
  "variance/a.cpp" "const double half = student_quantile(1.0 - alpha / 2.0, df)"
  "variance/b.hpp" "/// Student's t with a pooled variance, and studentised ranks."
  "harness/b.cpp" "truths.push_back(name == \"null\" ? variance::AuditTruth::null : variance::AuditTruth::gamma)"
  "harness/a.cpp" "{.name = \"command\", .value_name = \"LINE\"},"
  "results/b.cpp" "/// Student's t of differences that do not vary."
  "results/a.cpp" "out += value ? \"1\" : \"null\"")
while(sound)
  list(POP_FRONT sound file line)
  look_at(${file} "${line}")
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "not a workload's word: ${line} in ${file}\n${text}")
  endif()
endwhile()
file(REMOVE_RECURSE ${SCRATCH})
