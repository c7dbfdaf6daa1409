# The manual: links, widths of tables, quoted outputs, names of functions, the kept numbers of the measured studies, recomputed and
# beside those that were measured elsewhere; audit_table: a part of the whole audit.
foreach(check links outputs verdicts experiments audit_table)
  add_test(NAME docs_${check} COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/${check}.py
    ${PROJECT_SOURCE_DIR} $<TARGET_FILE:retrial>)
  set_tests_properties(docs_${check} PROPERTIES LABELS core TIMEOUT 600)
endforeach()
# The transcripts of studies that train: they are run, and their numbers are the same on every CPU.
if(RETRIAL_TORCH)
  add_test(NAME docs_transcripts COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/outputs.py
    ${PROJECT_SOURCE_DIR} $<TARGET_FILE:retrial> --run)
  set_tests_properties(docs_transcripts PROPERTIES LABELS "torch;slow" TIMEOUT 1800)
endif()
add_test(NAME docs_library COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/library.py ${PROJECT_SOURCE_DIR})
set_tests_properties(docs_library PROPERTIES LABELS core)
foreach(check links verdicts experiments audit_table)
  add_test(NAME docs_${check}_find_what_is_planted COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/${check}.py
    ${PROJECT_SOURCE_DIR} $<TARGET_FILE:retrial> --planted)
  set_tests_properties(docs_${check}_find_what_is_planted PROPERTIES LABELS core TIMEOUT 300)
endforeach()
