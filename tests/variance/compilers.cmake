# The known answers of the generator under every compiler and optimisation level at hand: bits that depend on either
# would show here. One test each; a compiler that is not installed is left out with a message.
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
  foreach(level -O0 "-O3 -march=native")
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

# Texts that are kept and must be printed by every build: the tests of each preset compare them, so g++ with and without
# optimisation is covered there; here another compiler at one more level. The statistics take half a minute to compile, once
# where ccache keeps them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(retrial_other_compiler g++)
else()
  set(retrial_other_compiler clang++)
endif()
find_program(retrial_ccache ccache)
function(retrial_compared_test what level kept sources)  # and a compiler, if it is not the other one
  set(compiler ${ARGN} ${retrial_other_compiler})
  list(GET compiler 0 compiler)
  if(NOT retrial_${compiler})
    return()
  endif()
  set(name "${what} ${compiler} ${level}")
  string(MAKE_C_IDENTIFIER "${name}" folder)
  add_test(NAME "${name}" COMMAND ${CMAKE_COMMAND}
    -DCOMPILER=${retrial_${compiler}} -DLAUNCHER=$<$<BOOL:${retrial_ccache}>:${retrial_ccache}> -DFLAGS=${level}
    -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DSOURCES=${sources} -DKEPT=${kept} -DFOLDER=${PROJECT_BINARY_DIR}/${folder}
    -P ${PROJECT_SOURCE_DIR}/tests/house/compile_and_compare.cmake)
  set_tests_properties("${name}" PROPERTIES LABELS "core;slow" TIMEOUT 600)
endfunction()

# Every rule on fixed scores.
add_executable(rule_reports EXCLUDE_FROM_ALL variance/comparisons/rule_reports_main.cpp)
target_link_libraries(rule_reports PRIVATE retrial_variance)
retrial_compared_test(rules -O0 tests/golden/comparisons/rules.txt "variance/*/*.cpp,tests/variance/comparisons/rule_reports_main.cpp")

# Every corruption of images at every severity. libjpeg is left out: its bytes are those of its version.
add_executable(corruption_digests EXCLUDE_FROM_ALL workloads/data/corrupt/corruption_digests_main.cpp)
target_link_libraries(corruption_digests PRIVATE retrial_workloads)
set(retrial_corruption_sources workloads/data/images/*.cpp workloads/data/operators/*.cpp workloads/data/corrupt/*.cpp
  workloads/data/files/rational.cpp workloads/data/files/image_set.cpp
  variance/random/rng.cpp variance/random/portable.cpp results/text/error.cpp results/text/cleaned.cpp results/text/text.cpp
  results/text/utf8.cpp tests/workloads/data/corrupt/corruption_digests_main.cpp)
list(JOIN retrial_corruption_sources "," retrial_corruption_sources)
retrial_compared_test(corruptions -O3 tests/golden/corrupt/corruptions.txt "${retrial_corruption_sources}")

# Every reference value of pipelined training, at both ends of optimisation.
add_executable(pipeline_reference EXCLUDE_FROM_ALL workloads/pipeline/analysis/reference_main.cpp)
target_link_libraries(pipeline_reference PRIVATE retrial_workloads)
set(retrial_reference_sources workloads/pipeline/analysis/*.cpp workloads/pipeline/arithmetic/*.cpp
  workloads/pipeline/methods/*.cpp workloads/pipeline/engine/*.cpp workloads/pipeline/chain.cpp workloads/pipeline/keys.cpp
  workloads/pipeline/validate.cpp workloads/interface/*.cpp variance/reproduce/reproduce.cpp variance/random/rng.cpp
  variance/random/portable.cpp variance/numbers/*.cpp results/text/*.cpp results/json/*.cpp results/report/*.cpp
  determinism/digest/psum2.cpp tests/workloads/pipeline/analysis/reference_main.cpp)
list(JOIN retrial_reference_sources "," retrial_reference_sources)
foreach(compiler g++ clang++)
  foreach(level -O0 -O3)
    retrial_compared_test(pipeline_reference ${level} workloads/pipeline/analysis/reference.json
      "${retrial_reference_sources}" ${compiler})
  endforeach()
endforeach()
