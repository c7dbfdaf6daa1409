# Embeds the 8x8 digits as a generated source. The hash is that of the decompressed text, because distributions
# re-compress the archive.
set(RETRIAL_DIGITS_CSV "" CACHE FILEPATH "digits.csv or digits.csv.gz of scikit-learn")
set(RETRIAL_DIGITS_SOURCE "")
if(RETRIAL_EMBED_DIGITS)
  set(digits ${RETRIAL_DIGITS_CSV})
  if(NOT digits)
    set(digits ${PROJECT_SOURCE_DIR}/.deps/digits.csv.gz)
  endif()
  if(NOT EXISTS ${digits})
    message(FATAL_ERROR "the digits are not at ${digits}: run scripts/setup, set RETRIAL_DIGITS_CSV, "
      "or configure with -DRETRIAL_EMBED_DIGITS=OFF")
  endif()
  set(RETRIAL_DIGITS_SOURCE ${PROJECT_BINARY_DIR}/generated/digits_rows.cpp)
  add_executable(retrial-embed-digits ${PROJECT_SOURCE_DIR}/cmake/embed_digits.cpp)
  target_link_libraries(retrial-embed-digits PRIVATE retrial_results ZLIB::ZLIB)
  add_custom_command(OUTPUT ${RETRIAL_DIGITS_SOURCE}
    COMMAND retrial-embed-digits ${digits} ${RETRIAL_DIGITS_SOURCE}
    DEPENDS retrial-embed-digits ${digits} VERBATIM)
endif()
