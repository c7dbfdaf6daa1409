# The negative control of directions.cmake: each planted line must be named.
set(planted
  "variance/a.hpp" "#include \"results/store.hpp\""
  "results/a.cpp" "#include <ATen/ATen.h>"
  "workloads/a.cpp" "#include \"harness/plan.hpp\""
  "determinism/a.cpp" "#include <sqlite3.h>"
  "results/b.cpp" "#include <boost/program_options.hpp>"
  "harness/a.cpp" "std::random_device entropy;")
while(planted)
  list(POP_FRONT planted file line)
  file(REMOVE_RECURSE ${SCRATCH})
  file(WRITE ${SCRATCH}/${file} "${line}\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${SCRATCH} -P ${DIRECTIONS} RESULT_VARIABLE status ERROR_VARIABLE text OUTPUT_QUIET)
  if(status EQUAL 0 OR NOT text MATCHES "${file}")
    message(FATAL_ERROR "not found: ${line} in ${file}\n${text}")
  endif()
endwhile()
file(REMOVE_RECURSE ${SCRATCH})
