# The known answers of the generator under every compiler and optimisation level at hand: bits that depend on either
# would show here. One test each; a compiler that is not installed is left out, and said so.
set(retrial_compilers_script ${CMAKE_CURRENT_LIST_DIR}/compile_and_run.cmake)

function(retrial_known_answers_test compiler label flags)
  set(name "known_answers ${compiler} ${label}")
  string(REPLACE " " "" program "${compiler}${label}")
  add_test(NAME "${name}" COMMAND ${CMAKE_COMMAND}
    -DCOMPILER=${retrial_${compiler}} "-DFLAGS=${flags}" -DSOURCE_DIR=${PROJECT_SOURCE_DIR}
    -DPROGRAM=${PROJECT_BINARY_DIR}/known_answers/${program} -P ${retrial_compilers_script})
  set_tests_properties("${name}" PROPERTIES LABELS core TIMEOUT 300)
endfunction()

foreach(compiler g++ clang++)
  find_program(retrial_${compiler} ${compiler})
  if(NOT retrial_${compiler})
    message(STATUS "${compiler} not found: its runs of the known answers are left out")
    continue()
  endif()
  foreach(level -O0 -O2 "-O3 -march=native")
    retrial_known_answers_test(${compiler} "${level}" "${level}")
  endforeach()
endforeach()

# Negative control: with fused multiply-add allowed, half of the normals change, and the program must notice.
# Registered only where the machine has the instruction; the compiler is then free to use it under -march=native.
if(EXISTS /proc/cpuinfo AND retrial_g++)
  file(STRINGS /proc/cpuinfo retrial_fma REGEX "^flags.* fma " LIMIT_COUNT 1)
  if(retrial_fma)
    retrial_known_answers_test(g++ contracted "-O3 -march=native -ffp-contract=fast")
    set_tests_properties("known_answers g++ contracted" PROPERTIES
      PASS_REGULAR_EXPRESSION "normal of Stream\\(S\\), shortest decimals: expected")
  endif()
endif()

# Every rule on fixed scores: the tests of each preset compare the text that is kept (rule_reports_tests.cpp), so g++ with
# and without optimisation is covered by them; here another compiler at another level. The statistics take half a minute
# to compile, once where ccache keeps them.
add_executable(rule_reports EXCLUDE_FROM_ALL variance/rule_reports_main.cpp)
target_link_libraries(rule_reports PRIVATE retrial_variance)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(retrial_other_compiler g++)
else()
  set(retrial_other_compiler clang++)
endif()
if(retrial_${retrial_other_compiler})
  find_program(retrial_ccache ccache)
  add_test(NAME "rules ${retrial_other_compiler} -O0" COMMAND ${CMAKE_COMMAND}
    -DCOMPILER=${retrial_${retrial_other_compiler}} -DLAUNCHER=$<$<BOOL:${retrial_ccache}>:${retrial_ccache}> -DFLAGS=-O0
    -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DFOLDER=${PROJECT_BINARY_DIR}/rules_of_other_compiler
    -P ${CMAKE_CURRENT_LIST_DIR}/compile_rules.cmake)
  set_tests_properties("rules ${retrial_other_compiler} -O0" PROPERTIES LABELS core TIMEOUT 600)
endif()
