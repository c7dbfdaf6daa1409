#pragma once

// For the body of a kernel: one definition for the GPU's compiler and for the host's. Always inlined, so that it is
// compiled for the instruction set of its caller.
#if defined(__CUDACC__)
#define RETRIAL_HD __host__ __device__ __forceinline__
#else
#define RETRIAL_HD [[gnu::always_inline]] inline
#endif
