# cmake -DROOT=<tree> -DNAMES=<names of all workloads> -DEXAMPLES=<file> -P workload_names.cmake: the folders before
# workloads, and harness, name no workload and none of its words. EXAMPLES holds the example lines of the declarations,
# which help texts may repeat. Names file and line.
set(folders harness results determinism variance)
# Words of a field of science that has workloads; of distributions and algorithms that are called the same, below.
set(words [Pp]run[ei] [Dd]istil [Tt]eacher [Ss]tudent)
set(also_in_statistics
  "[Ss]tudent(ise|_cdf|_t|_tail|_quantile|_parts|_from|Tails|s_t_distribution)"
  "[Ss]tudent'?s? " )
