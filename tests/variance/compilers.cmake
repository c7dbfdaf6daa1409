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
