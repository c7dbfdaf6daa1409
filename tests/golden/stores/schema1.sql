PRAGMA page_size=4096;
PRAGMA application_id=1381256241;
PRAGMA user_version=1;
BEGIN TRANSACTION;
CREATE TABLE artifact(
  trial_id INTEGER NOT NULL REFERENCES trial ON DELETE RESTRICT,
  name TEXT NOT NULL CHECK(length(name) BETWEEN 1 AND 200), kind TEXT NOT NULL,
  digest BLOB NOT NULL CHECK(length(digest)=32), bytes INTEGER NOT NULL CHECK(bytes>=0),
  body BLOB CHECK(body IS NULL OR length(body)<=65536),
  PRIMARY KEY(trial_id,name)) STRICT, WITHOUT ROWID;
CREATE TABLE digest(
  trial_id INTEGER NOT NULL REFERENCES trial ON DELETE RESTRICT,
  name TEXT NOT NULL, step INTEGER NOT NULL CHECK(step>=-1),
  algo TEXT NOT NULL, value BLOB NOT NULL CHECK(length(value) BETWEEN 8 AND 64),
  PRIMARY KEY(trial_id,name,step,algo)) STRICT, WITHOUT ROWID;
INSERT INTO "digest" VALUES(1,'state',-1,'sha256',X'9445588E36968218D5D9B3ADCB356AC342A33E52CB7F695E8CDAB832EE6EFFF2');
INSERT INTO "digest" VALUES(1,'state',0,'sha256',X'9445588E36968218D5D9B3ADCB356AC342A33E52CB7F695E8CDAB832EE6EFFF2');
INSERT INTO "digest" VALUES(2,'state',-1,'sha256',X'381AA4B58710E160F454F00A7896D9863F596DBD6EDB75FFED0654BE57DC4265');
INSERT INTO "digest" VALUES(2,'state',0,'sha256',X'381AA4B58710E160F454F00A7896D9863F596DBD6EDB75FFED0654BE57DC4265');
INSERT INTO "digest" VALUES(3,'state',-1,'sha256',X'08DDAE9B20143B6DD9E91D740A2474BF446EA78B52DFE2ADBB03A640674FCA92');
INSERT INTO "digest" VALUES(3,'state',0,'sha256',X'08DDAE9B20143B6DD9E91D740A2474BF446EA78B52DFE2ADBB03A640674FCA92');
INSERT INTO "digest" VALUES(4,'state',-1,'sha256',X'940AB05D00F7F48A860D570A1736C5A68760222B6FD9DF663940C7C096F03B12');
INSERT INTO "digest" VALUES(4,'state',0,'sha256',X'940AB05D00F7F48A860D570A1736C5A68760222B6FD9DF663940C7C096F03B12');
CREATE TABLE document(
  digest BLOB PRIMARY KEY CHECK(length(digest)=32),
  kind TEXT NOT NULL CHECK(kind IN('study','design','config','environment','dataset','program','claim','verdict','calibration','result','gate_state')),
  body TEXT NOT NULL CHECK(length(body) BETWEEN 2 AND 4194304)) STRICT, WITHOUT ROWID;
INSERT INTO "document" VALUES(X'21C0051D4BBE4426AB0E49527848D36F5111DBE4EDED1B7B69445C326440542D','environment','{"inputs":{"dataset":null,"program":"a60cf7f365fdf2d92b4dcd8aa0eb0d51f08d246b","values":{"correlation":"0000000000000000","curvature":"0000000000000000","defect":"none","defect_at":0,"dropout":"0000000000000000","effect":"3ff0000000000000","epoch_ms":0,"epochs":1,"failure":"none","failure_at":0,"failure_mib":1024,"failure_share":"3ff0000000000000","interaction":"0000000000000000","items":0,"lr":"3fb999999999999a","mean":"4054000000000000","optimum":"3ff0000000000000","resolution":"0000000000000000","sd":"3ff0000000000000","sd_init":"3fe3333333333333","sd_order":"3fdeb851eb851eb8","sd_split":"3fe47ae147ae147b","steps":4,"validation":false}},"libraries":{},"machine":{"affinity":"0-1","cgroup_quota":null,"cpu_cores":2,"cpu_flags":"6a93d771884cba54d837828ce732aaad0bec1243d7fa6d288a3359b8166e7e4a","cpu_model":"AMD EPYC","cpu_stepping":"1","governor":null,"kernel":"Linux 6.18.44-fc-v657","libc":"glibc 2.36","memory_kib":24684092,"microcode":"0x1000065","os":"Debian GNU/Linux 12 (bookworm)","smt":false,"virtualisation":"KVMKVMKVM"},"numeric":{"effective":{"torch":null},"requested":{"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"preset":"deterministic","tf32":false,"threads":1},"variables":{"ATEN_CPU_CAPABILITY":"avx2","CUBLASLT_WORKSPACE_SIZE":"unset","CUBLAS_WORKSPACE_CONFIG":":4096:8","CUDA_CACHE_DISABLE":"unset","CUDA_DEVICE_ORDER":"unset","CUDA_LAUNCH_BLOCKING":"unset","CUDA_MODULE_LOADING":"unset","CUDA_MPS_PIPE_DIRECTORY":"unset","CUDA_VISIBLE_DEVICES":"unset","CUDNN_LOGLEVEL_DBG":"unset","DNNL_CPU_ISA_HINTS":"unset","DNNL_DEFAULT_FPMATH_MODE":"unset","DNNL_MAX_CPU_ISA":"unset","DNNL_VERBOSE":"unset","GLIBC_TUNABLES":"unset","GOMP_CPU_AFFINITY":"unset","KMP_DETERMINISTIC_REDUCTION":"unset","MKL_CBWR":"AVX2,STRICT","MKL_DYNAMIC":"FALSE","MKL_ENABLE_INSTRUCTIONS":"unset","MKL_NUM_THREADS":"1","MKL_VERBOSE":"unset","NCCL_ALGO":"Ring","NCCL_PROTO":"unset","NVIDIA_TF32_OVERRIDE":"0","NVIDIA_VISIBLE_DEVICES":"unset","NVTE_ALLOW_NONDETERMINISTIC_ALGO":"0","OMP_DYNAMIC":"FALSE","OMP_NUM_THREADS":"1","OMP_PROC_BIND":"unset","OMP_SCHEDULE":"unset","OMP_WAIT_POLICY":"passive","ONEDNN_CPU_ISA_HINTS":"unset","ONEDNN_DEFAULT_FPMATH_MODE":"unset","ONEDNN_MAX_CPU_ISA":"AVX2","ONEDNN_VERBOSE":"unset","OPENBLAS_CORETYPE":"unset","OPENBLAS_NUM_THREADS":"unset","PYTORCH_ALLOC_CONF":"unset","PYTORCH_CUDA_ALLOC_CONF":"unset","PYTORCH_NO_CUDA_MEMORY_CACHING":"unset","TORCH_ALLOW_TF32_CUBLAS_OVERRIDE":"unset","TORCH_BLAS_PREFER_CUBLASLT":"unset","TORCH_CUDNN_V8_API_DEBUG":"unset","TORCH_CUDNN_V8_API_DISABLED":"unset","TORCH_CUDNN_V8_API_LRU_CACHE_LIMIT":"unset","TORCH_LINALG_PREFER_CUSOLVER":"unset"}},"program":{"build_id":"a60cf7f365fdf2d92b4dcd8aa0eb0d51f08d246b","compiler":"gcc 12.2.0","flags":"-O3 -DNDEBUG -ffp-contract=off","git_commit":null,"shared_objects":{"ld-linux-x86-64.so.2":"7ebc65e52f2bbea498b4040fa92f7238377aaba9","libboost_program_options.so.1.74.0":"3ef3574fe3de32ea57513ab290c641024e735d39","libc.so.6":"93ac61ec5a8eb1396f9fbd350e3169a558528a40","libgcc_s.so.1":"6f03384c2e3c38887dd3ba5a24b2e18c17e2f0e0","libjpeg.so.62":"75b71ddb85234be3659c097f2561a765b45993bd","libm.so.6":"d6e6f9e3af1243eed9bf5efd366dd015a9f22c13","libnettle.so.8":"df9d509c9055db57df09603aab0fc4c66ad2837c","libpng16.so.16":"56640bf726b2815c3c26ffd73cce8126ab436334","libre2.so.9":"340a39bff0a1beba99aacf5743fa2d9881519d24","libsqlite3.so.0":"5221b80bd99650e3e55370b0e24f4b4dbe81264f","libstdc++.so.6":"289ee39f8c07bd4fa48102dfeeb7e6f9c76158b4","libxxhash.so.0":"ca71a4a7d4890b6f77d683649816c209c1c7cd4a","libz.so.1":"1f95d5498d283b79505861523e20b3db2afdf518"},"version":"0.1.0"},"schema":"retrial.manifest/1"}');
INSERT INTO "document" VALUES(X'2946058CC5E6014CD74FA42CD69FF7F6570CAD31EB0E971DE40E843532011CD2','design','{"alpha":"3fa999999999999a","baseline":"base","beta":"3fa999999999999a","candidate":"shifted","direction":"higher","failure":"loss","family":"fixed","frozen":[],"margin":null,"metric":"score","pairs":2,"randomised":["init","data-split","data-order"],"schema":"retrial.design/1","test":"pab_exact","tie_limit":"3fe0000000000000"}');
INSERT INTO "document" VALUES(X'3FAA7E33E2340B0E5978ED1E0D8889A345A121745C9A86A4733313D57FD4542B','config','{"schema":"retrial.config/1","values":{"correlation":"0000000000000000","curvature":"0000000000000000","defect":"none","defect_at":0,"dropout":"0000000000000000","effect":"3ff0000000000000","epoch_ms":0,"epochs":1,"failure":"none","failure_at":0,"failure_mib":1024,"failure_share":"3ff0000000000000","interaction":"0000000000000000","items":0,"lr":"3fb999999999999a","mean":"4054000000000000","optimum":"3ff0000000000000","resolution":"0000000000000000","sd":"3ff0000000000000","sd_init":"3fe3333333333333","sd_order":"3fdeb851eb851eb8","sd_split":"3fe47ae147ae147b","steps":4,"validation":false}}');
INSERT INTO "document" VALUES(X'92EA95D5FFFF13F49992F8EBAFD8D37ED3EB09178569747799052C958CB55A7E','environment','{"inputs":{"dataset":null,"program":"a60cf7f365fdf2d92b4dcd8aa0eb0d51f08d246b","values":{"correlation":"0000000000000000","curvature":"0000000000000000","defect":"none","defect_at":0,"dropout":"0000000000000000","effect":"0000000000000000","epoch_ms":0,"epochs":1,"failure":"none","failure_at":0,"failure_mib":1024,"failure_share":"3ff0000000000000","interaction":"0000000000000000","items":0,"lr":"3fb999999999999a","mean":"4054000000000000","optimum":"3ff0000000000000","resolution":"0000000000000000","sd":"3ff0000000000000","sd_init":"3fe3333333333333","sd_order":"3fdeb851eb851eb8","sd_split":"3fe47ae147ae147b","steps":4,"validation":false}},"libraries":{},"machine":{"affinity":"0-1","cgroup_quota":null,"cpu_cores":2,"cpu_flags":"6a93d771884cba54d837828ce732aaad0bec1243d7fa6d288a3359b8166e7e4a","cpu_model":"AMD EPYC","cpu_stepping":"1","governor":null,"kernel":"Linux 6.18.44-fc-v657","libc":"glibc 2.36","memory_kib":24684092,"microcode":"0x1000065","os":"Debian GNU/Linux 12 (bookworm)","smt":false,"virtualisation":"KVMKVMKVM"},"numeric":{"effective":{"torch":null},"requested":{"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"preset":"deterministic","tf32":false,"threads":1},"variables":{"ATEN_CPU_CAPABILITY":"avx2","CUBLASLT_WORKSPACE_SIZE":"unset","CUBLAS_WORKSPACE_CONFIG":":4096:8","CUDA_CACHE_DISABLE":"unset","CUDA_DEVICE_ORDER":"unset","CUDA_LAUNCH_BLOCKING":"unset","CUDA_MODULE_LOADING":"unset","CUDA_MPS_PIPE_DIRECTORY":"unset","CUDA_VISIBLE_DEVICES":"unset","CUDNN_LOGLEVEL_DBG":"unset","DNNL_CPU_ISA_HINTS":"unset","DNNL_DEFAULT_FPMATH_MODE":"unset","DNNL_MAX_CPU_ISA":"unset","DNNL_VERBOSE":"unset","GLIBC_TUNABLES":"unset","GOMP_CPU_AFFINITY":"unset","KMP_DETERMINISTIC_REDUCTION":"unset","MKL_CBWR":"AVX2,STRICT","MKL_DYNAMIC":"FALSE","MKL_ENABLE_INSTRUCTIONS":"unset","MKL_NUM_THREADS":"1","MKL_VERBOSE":"unset","NCCL_ALGO":"Ring","NCCL_PROTO":"unset","NVIDIA_TF32_OVERRIDE":"0","NVIDIA_VISIBLE_DEVICES":"unset","NVTE_ALLOW_NONDETERMINISTIC_ALGO":"0","OMP_DYNAMIC":"FALSE","OMP_NUM_THREADS":"1","OMP_PROC_BIND":"unset","OMP_SCHEDULE":"unset","OMP_WAIT_POLICY":"passive","ONEDNN_CPU_ISA_HINTS":"unset","ONEDNN_DEFAULT_FPMATH_MODE":"unset","ONEDNN_MAX_CPU_ISA":"AVX2","ONEDNN_VERBOSE":"unset","OPENBLAS_CORETYPE":"unset","OPENBLAS_NUM_THREADS":"unset","PYTORCH_ALLOC_CONF":"unset","PYTORCH_CUDA_ALLOC_CONF":"unset","PYTORCH_NO_CUDA_MEMORY_CACHING":"unset","TORCH_ALLOW_TF32_CUBLAS_OVERRIDE":"unset","TORCH_BLAS_PREFER_CUBLASLT":"unset","TORCH_CUDNN_V8_API_DEBUG":"unset","TORCH_CUDNN_V8_API_DISABLED":"unset","TORCH_CUDNN_V8_API_LRU_CACHE_LIMIT":"unset","TORCH_LINALG_PREFER_CUSOLVER":"unset"}},"program":{"build_id":"a60cf7f365fdf2d92b4dcd8aa0eb0d51f08d246b","compiler":"gcc 12.2.0","flags":"-O3 -DNDEBUG -ffp-contract=off","git_commit":null,"shared_objects":{"ld-linux-x86-64.so.2":"7ebc65e52f2bbea498b4040fa92f7238377aaba9","libboost_program_options.so.1.74.0":"3ef3574fe3de32ea57513ab290c641024e735d39","libc.so.6":"93ac61ec5a8eb1396f9fbd350e3169a558528a40","libgcc_s.so.1":"6f03384c2e3c38887dd3ba5a24b2e18c17e2f0e0","libjpeg.so.62":"75b71ddb85234be3659c097f2561a765b45993bd","libm.so.6":"d6e6f9e3af1243eed9bf5efd366dd015a9f22c13","libnettle.so.8":"df9d509c9055db57df09603aab0fc4c66ad2837c","libpng16.so.16":"56640bf726b2815c3c26ffd73cce8126ab436334","libre2.so.9":"340a39bff0a1beba99aacf5743fa2d9881519d24","libsqlite3.so.0":"5221b80bd99650e3e55370b0e24f4b4dbe81264f","libstdc++.so.6":"289ee39f8c07bd4fa48102dfeeb7e6f9c76158b4","libxxhash.so.0":"ca71a4a7d4890b6f77d683649816c209c1c7cd4a","libz.so.1":"1f95d5498d283b79505861523e20b3db2afdf518"},"version":"0.1.0"},"schema":"retrial.manifest/1"}');
INSERT INTO "document" VALUES(X'D8F7E824AD0381125A2DF2F1997AA982F44009EB9269962C14DEB11E969CB78C','config','{"schema":"retrial.config/1","values":{"correlation":"0000000000000000","curvature":"0000000000000000","defect":"none","defect_at":0,"dropout":"0000000000000000","effect":"0000000000000000","epoch_ms":0,"epochs":1,"failure":"none","failure_at":0,"failure_mib":1024,"failure_share":"3ff0000000000000","interaction":"0000000000000000","items":0,"lr":"3fb999999999999a","mean":"4054000000000000","optimum":"3ff0000000000000","resolution":"0000000000000000","sd":"3ff0000000000000","sd_init":"3fe3333333333333","sd_order":"3fdeb851eb851eb8","sd_split":"3fe47ae147ae147b","steps":4,"validation":false}}');
INSERT INTO "document" VALUES(X'E7A5739924C4D614E82DC73795478C52573E616307D8BB5651BE6C2F7432D6E6','study','{"baseline":"base","candidate":"shifted","design":"2946058cc5e6014cd74fa42cd69ff7f6570cad31eb0e971de40e843532011cd2","hold":[],"metric":"score","mode":{"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"preset":"deterministic","tf32":false,"threads":1},"name":"null","pairs":2,"schema":"retrial.study/1","seed":"0000000000000003","variants":[{"name":"base","preset":"base","values":{"correlation":"0000000000000000","curvature":"0000000000000000","defect":"none","defect_at":0,"dropout":"0000000000000000","effect":"0000000000000000","epoch_ms":0,"epochs":1,"failure":"none","failure_at":0,"failure_mib":1024,"failure_share":"3ff0000000000000","interaction":"0000000000000000","items":0,"lr":"3fb999999999999a","mean":"4054000000000000","optimum":"3ff0000000000000","resolution":"0000000000000000","sd":"3ff0000000000000","sd_init":"3fe3333333333333","sd_order":"3fdeb851eb851eb8","sd_split":"3fe47ae147ae147b","steps":4,"validation":false}},{"name":"shifted","preset":"shifted","values":{"correlation":"0000000000000000","curvature":"0000000000000000","defect":"none","defect_at":0,"dropout":"0000000000000000","effect":"3ff0000000000000","epoch_ms":0,"epochs":1,"failure":"none","failure_at":0,"failure_mib":1024,"failure_share":"3ff0000000000000","interaction":"0000000000000000","items":0,"lr":"3fb999999999999a","mean":"4054000000000000","optimum":"3ff0000000000000","resolution":"0000000000000000","sd":"3ff0000000000000","sd_init":"3fe3333333333333","sd_order":"3fdeb851eb851eb8","sd_split":"3fe47ae147ae147b","steps":4,"validation":false}}],"vary":["init","data-split","data-order"],"workload":"null"}');
CREATE TABLE environment(
  digest BLOB PRIMARY KEY REFERENCES document(digest) ON DELETE RESTRICT,
  stratum BLOB NOT NULL CHECK(length(stratum)=32),
  cpu_model TEXT NOT NULL, cpu_cores INTEGER NOT NULL, isa TEXT NOT NULL, governor TEXT,
  gpu_model TEXT, gpu_driver TEXT, torch_version TEXT, cuda_version TEXT,
  os TEXT NOT NULL, kernel TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "environment" VALUES(X'21C0051D4BBE4426AB0E49527848D36F5111DBE4EDED1B7B69445C326440542D',X'F81CD060454BF3FC569A08E554E931D2CC8ECE6BCAFD540294097CA176A7437F','AMD EPYC',2,'unknown',NULL,NULL,NULL,NULL,NULL,'Debian GNU/Linux 12 (bookworm)','Linux 6.18.44-fc-v657');
INSERT INTO "environment" VALUES(X'92EA95D5FFFF13F49992F8EBAFD8D37ED3EB09178569747799052C958CB55A7E',X'F81CD060454BF3FC569A08E554E931D2CC8ECE6BCAFD540294097CA176A7437F','AMD EPYC',2,'unknown',NULL,NULL,NULL,NULL,NULL,'Debian GNU/Linux 12 (bookworm)','Linux 6.18.44-fc-v657');
CREATE TABLE event(
  digest BLOB PRIMARY KEY CHECK(length(digest)=32),
  at_ns INTEGER NOT NULL, kind TEXT NOT NULL,
  identity BLOB CHECK(identity IS NULL OR length(identity)=32),
  attempt BLOB CHECK(attempt IS NULL OR length(attempt)=16),
  detail TEXT NOT NULL CHECK(length(detail)<=4096)) STRICT, WITHOUT ROWID;
INSERT INTO "event" VALUES(X'7571548A845FE74401CE851DDC80B12F56499742E2961433D790F77BC23B2D01',1795729435021391317,'started',X'084B9B42D1D3CA439A1B54E0E283532B5D60CF07803FC4E05A34EDA04F6C579E',X'4F42CCA4F6A0DDFE1C1F2E54A3A8EAC5','');
INSERT INTO "event" VALUES(X'7D0D072C42B574AC0970C40C3DD1273D7A20CEF39B55E7068E0557726925A0BD',1795729435012785079,'started',X'3DBF289C03868D5D5B78F958D89B749BE4364A883F940B3E41AD26FE8162A788',X'41204A6AC8F39954D73048203EDA5ACB','');
INSERT INTO "event" VALUES(X'94BB8C5BFEEA3026BF9BB3701DFCC4D7ADD33D41E332A2FFF095CD6BE0B1B139',1795729435004608279,'started',X'B63B02EF47B004224BA1D8DFB287C8E72386FAA10910F2CE13E148C659777B76',X'82CC94C736F1FEEA279540FE94AE95D8','');
INSERT INTO "event" VALUES(X'B69CEC45DACDCE6395F5E3F13764CCC5379926E2AA86F6A74641C5AA6EF91F63',1795729435021785787,'started',X'E98C1D44529FDD6AB5BBCCF53A06787327EE39A1E469B8B9FD7CF01B863899EE',X'FE0A1F051731E08F80C0DFBF9C4A5615','');
CREATE TABLE lease(
  identity BLOB NOT NULL CHECK(length(identity)=32), replicate INTEGER NOT NULL,
  owner BLOB NOT NULL CHECK(length(owner)=16), expires_ns INTEGER NOT NULL, PRIMARY KEY(identity,replicate)) STRICT, WITHOUT ROWID;
CREATE TABLE manifest(
  trial_id INTEGER PRIMARY KEY REFERENCES trial ON DELETE RESTRICT,
  id BLOB NOT NULL CHECK(length(id)=32),
  delta TEXT NOT NULL CHECK(length(delta) BETWEEN 2 AND 65536)) STRICT;
INSERT INTO "manifest" VALUES(1,X'AE141146F29173D06C18EBABAF2760101D74F271BE71008C0440411FFA0FD909','{"evidence":{"digests":{"state":"sha256:9445588e36968218d5d9b3adcb356ac342a33e52cb7f695e8cdab832ee6efff2"},"replays":0},"outcome":{"cpu_ns":771000,"exit_code":null,"peak_rss":10948608,"signal":null,"status":"ok","wall_ns":1245579},"randomness":{"root":"0000000000000003","sources":{"data-order":{"held":false,"pair":0,"seed":"4208e83b70d23760"},"data-split":{"held":false,"pair":0,"seed":"d05c5c94f1bed158"},"init":{"held":false,"pair":0,"seed":"0c0d59fe06ed28a0"}}},"trial":{"attempt":"82cc94c736f1feea279540fe94ae95d8","identity":"b63b02ef47b004224ba1d8dfb287c8e72386faa10910f2ce13e148c659777b76","replicate":0,"variant":"base","workload":"null"},"volatile":{"load_average":"3.41 2.68 2.47","steal_ticks":7531}}');
INSERT INTO "manifest" VALUES(2,X'B8F117CD92375BD10B883E3CBCF44334747A32FF7E956143488AB56A64AFE500','{"evidence":{"digests":{"state":"sha256:381aa4b58710e160f454f00a7896d9863f596dbd6edb75ffed0654be57dc4265"},"replays":0},"outcome":{"cpu_ns":833000,"exit_code":null,"peak_rss":10964992,"signal":null,"status":"ok","wall_ns":1488405},"randomness":{"root":"0000000000000003","sources":{"data-order":{"held":false,"pair":0,"seed":"4208e83b70d23760"},"data-split":{"held":false,"pair":0,"seed":"d05c5c94f1bed158"},"init":{"held":false,"pair":0,"seed":"0c0d59fe06ed28a0"}}},"trial":{"attempt":"41204a6ac8f39954d73048203eda5acb","identity":"3dbf289c03868d5d5b78f958d89b749be4364a883f940b3e41ad26fe8162a788","replicate":0,"variant":"shifted","workload":"null"},"volatile":{"load_average":"3.41 2.68 2.47","steal_ticks":7531}}');
INSERT INTO "manifest" VALUES(3,X'651024B1213ADB1E8C2FF7C85D34F76C6033415459E7E4D0C7F1CD07BFA73129','{"evidence":{"digests":{"state":"sha256:08ddae9b20143b6dd9e91d740a2474bf446ea78b52dfe2adbb03a640674fca92"},"replays":0},"outcome":{"cpu_ns":52000,"exit_code":null,"peak_rss":11005952,"signal":null,"status":"ok","wall_ns":614743},"randomness":{"root":"0000000000000003","sources":{"data-order":{"held":false,"pair":1,"seed":"e73a20193f23c8b1"},"data-split":{"held":false,"pair":1,"seed":"b75dd054b928b0b7"},"init":{"held":false,"pair":1,"seed":"8cd496b0b5acb0b6"}}},"trial":{"attempt":"4f42cca4f6a0ddfe1c1f2e54a3a8eac5","identity":"084b9b42d1d3ca439a1b54e0e283532b5d60cf07803fc4e05a34eda04f6c579e","replicate":0,"variant":"shifted","workload":"null"},"volatile":{"load_average":"3.41 2.68 2.47","steal_ticks":7531}}');
INSERT INTO "manifest" VALUES(4,X'0004BDD881532689B2CD802E1C6B8D4096BABE38423A6317A761B91E19717D8B','{"evidence":{"digests":{"state":"sha256:940ab05d00f7f48a860d570a1736c5a68760222b6fd9df663940c7c096f03b12"},"replays":0},"outcome":{"cpu_ns":64000,"exit_code":null,"peak_rss":10964992,"signal":null,"status":"ok","wall_ns":463794},"randomness":{"root":"0000000000000003","sources":{"data-order":{"held":false,"pair":1,"seed":"e73a20193f23c8b1"},"data-split":{"held":false,"pair":1,"seed":"b75dd054b928b0b7"},"init":{"held":false,"pair":1,"seed":"8cd496b0b5acb0b6"}}},"trial":{"attempt":"fe0a1f051731e08f80c0dfbf9c4a5615","identity":"e98c1d44529fdd6ab5bbccf53a06787327ee39a1e469b8b9fd7cf01b863899ee","replicate":0,"variant":"base","workload":"null"},"volatile":{"load_average":"3.41 2.68 2.47","steal_ticks":7531}}');
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO "meta" VALUES('check/salt','8e99867c269662f74b2313bdbc737f6c7dd32f4048b901d18318423d0c407011');
INSERT INTO "meta" VALUES('salt','b836be7ba8779ee5d6c4246bd478e3ee');
INSERT INTO "meta" VALUES('study/000001','e7a5739924c4d614e82dc73795478c52573e616307d8bb5651be6c2f7432d6e6 37054b9c64703b91c211b635673a8f434fc73f721fbadf0b5e2d0c7e1aaf9748');
CREATE TABLE metric(
  trial_id INTEGER NOT NULL REFERENCES trial ON DELETE RESTRICT,
  metric_id INTEGER NOT NULL REFERENCES metric_def ON DELETE RESTRICT,
  step INTEGER NOT NULL CHECK(step>=-1),
  value REAL,
  bits INTEGER NOT NULL,
  PRIMARY KEY(trial_id,metric_id,step)) STRICT, WITHOUT ROWID;
INSERT INTO "metric" VALUES(1,1,-1,0.000771,4560250443111986488);
INSERT INTO "metric" VALUES(2,1,-1,0.000833,4560822292178271484);
INSERT INTO "metric" VALUES(3,1,-1,5.2e-05,4542798670296752645);
INSERT INTO "metric" VALUES(4,1,-1,6.4e-05,4544350790872329613);
INSERT INTO "metric" VALUES(1,2,-1,5.24668235315150166542e-01,4602901010883393308);
INSERT INTO "metric" VALUES(2,2,-1,5.24668235315150166542e-01,4602901010883393308);
INSERT INTO "metric" VALUES(3,2,-1,4.7698279020045925014e-01,4602264177982741631);
INSERT INTO "metric" VALUES(4,2,-1,4.7698279020045925014e-01,4602264177982741631);
INSERT INTO "metric" VALUES(1,2,0,5.24668235315150166542e-01,4602901010883393308);
INSERT INTO "metric" VALUES(2,2,0,5.24668235315150166542e-01,4602901010883393308);
INSERT INTO "metric" VALUES(3,2,0,4.7698279020045925014e-01,4602264177982741631);
INSERT INTO "metric" VALUES(4,2,0,4.7698279020045925014e-01,4602264177982741631);
INSERT INTO "metric" VALUES(1,3,-1,10.44140625,4622067607216848896);
INSERT INTO "metric" VALUES(2,3,-1,10.45703125,4622076403309871104);
INSERT INTO "metric" VALUES(3,3,-1,10.49609375,4622098393542426624);
INSERT INTO "metric" VALUES(4,3,-1,10.45703125,4622076403309871104);
INSERT INTO "metric" VALUES(1,4,-1,80.3692780894233,4635355902106488053);
INSERT INTO "metric" VALUES(2,4,-1,8.38658736157290149969e+01,4635601953142571424);
INSERT INTO "metric" VALUES(3,4,-1,8.06321669896912709453e+01,4635374401268258157);
INSERT INTO "metric" VALUES(4,4,-1,7.96798558719828804459e+01,4635307388330838590);
INSERT INTO "metric" VALUES(1,5,-1,0.00076123,4560160330767186417);
INSERT INTO "metric" VALUES(2,5,-1,0.000822852,4560728693398841482);
INSERT INTO "metric" VALUES(3,5,-1,5.0605e-05,4542592804632890047);
INSERT INTO "metric" VALUES(4,5,-1,6.1632e-05,4544176063312463436);
CREATE TABLE metric_def(
  metric_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK(length(name) BETWEEN 1 AND 200),
  unit TEXT NOT NULL,
  direction TEXT NOT NULL CHECK(direction IN('lower','higher','none')),
  nature TEXT NOT NULL CHECK(nature IN('outcome','cost')),
  scale TEXT NOT NULL CHECK(scale IN('ratio','absolute')),
  axis TEXT NOT NULL CHECK(axis IN('none','epoch','step','repetition'))) STRICT;
INSERT INTO "metric_def" VALUES(1,'cpu_s','s','lower','cost','ratio','none');
INSERT INTO "metric_def" VALUES(2,'loss','','lower','outcome','ratio','epoch');
INSERT INTO "metric_def" VALUES(3,'peak_rss_mib','MiB','lower','cost','ratio','none');
INSERT INTO "metric_def" VALUES(4,'score','points','higher','outcome','absolute','none');
INSERT INTO "metric_def" VALUES(5,'wall_s','s','lower','cost','ratio','none');
CREATE TABLE plan(
  study BLOB NOT NULL REFERENCES study(digest) ON DELETE RESTRICT,
  ordinal INTEGER NOT NULL CHECK(ordinal>=0),
  identity BLOB NOT NULL CHECK(length(identity)=32),
  replicate INTEGER NOT NULL CHECK(replicate>=0),
  trial_body TEXT NOT NULL CHECK(length(trial_body) BETWEEN 2 AND 65536),
  workload TEXT NOT NULL, variant TEXT NOT NULL,
  pair_index INTEGER NOT NULL CHECK(pair_index>=0),
  block INTEGER NOT NULL CHECK(block>=0),
  estimate_ns INTEGER NOT NULL CHECK(estimate_ns>=0),
  PRIMARY KEY(study,ordinal), UNIQUE(study,identity,replicate)) STRICT, WITHOUT ROWID;
INSERT INTO "plan" VALUES(X'E7A5739924C4D614E82DC73795478C52573E616307D8BB5651BE6C2F7432D6E6',0,X'B63B02EF47B004224BA1D8DFB287C8E72386FAA10910F2CE13E148C659777B76',0,'{"dataset":null,"identity":"b63b02ef47b004224ba1d8dfb287c8e72386faa10910f2ce13e148c659777b76","mode":{"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"preset":"deterministic","tf32":false,"threads":1},"pair":0,"pairs":{"data-order":0,"data-split":0,"init":0},"program":"a60cf7f365fdf2d92b4dcd8aa0eb0d51f08d246b","seeds":{"data-order":"4208e83b70d23760","data-split":"d05c5c94f1bed158","init":"0c0d59fe06ed28a0"},"values":{"correlation":"0000000000000000","curvature":"0000000000000000","defect":"none","defect_at":0,"dropout":"0000000000000000","effect":"0000000000000000","epoch_ms":0,"epochs":1,"failure":"none","failure_at":0,"failure_mib":1024,"failure_share":"3ff0000000000000","interaction":"0000000000000000","items":0,"lr":"3fb999999999999a","mean":"4054000000000000","optimum":"3ff0000000000000","resolution":"0000000000000000","sd":"3ff0000000000000","sd_init":"3fe3333333333333","sd_order":"3fdeb851eb851eb8","sd_split":"3fe47ae147ae147b","steps":4,"validation":false},"variant":"base","workload":"null"}','null','base',0,0,0);
INSERT INTO "plan" VALUES(X'E7A5739924C4D614E82DC73795478C52573E616307D8BB5651BE6C2F7432D6E6',1,X'3DBF289C03868D5D5B78F958D89B749BE4364A883F940B3E41AD26FE8162A788',0,'{"dataset":null,"identity":"3dbf289c03868d5d5b78f958d89b749be4364a883f940b3e41ad26fe8162a788","mode":{"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"preset":"deterministic","tf32":false,"threads":1},"pair":0,"pairs":{"data-order":0,"data-split":0,"init":0},"program":"a60cf7f365fdf2d92b4dcd8aa0eb0d51f08d246b","seeds":{"data-order":"4208e83b70d23760","data-split":"d05c5c94f1bed158","init":"0c0d59fe06ed28a0"},"values":{"correlation":"0000000000000000","curvature":"0000000000000000","defect":"none","defect_at":0,"dropout":"0000000000000000","effect":"3ff0000000000000","epoch_ms":0,"epochs":1,"failure":"none","failure_at":0,"failure_mib":1024,"failure_share":"3ff0000000000000","interaction":"0000000000000000","items":0,"lr":"3fb999999999999a","mean":"4054000000000000","optimum":"3ff0000000000000","resolution":"0000000000000000","sd":"3ff0000000000000","sd_init":"3fe3333333333333","sd_order":"3fdeb851eb851eb8","sd_split":"3fe47ae147ae147b","steps":4,"validation":false},"variant":"shifted","workload":"null"}','null','shifted',0,0,0);
INSERT INTO "plan" VALUES(X'E7A5739924C4D614E82DC73795478C52573E616307D8BB5651BE6C2F7432D6E6',2,X'084B9B42D1D3CA439A1B54E0E283532B5D60CF07803FC4E05A34EDA04F6C579E',0,'{"dataset":null,"identity":"084b9b42d1d3ca439a1b54e0e283532b5d60cf07803fc4e05a34eda04f6c579e","mode":{"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"preset":"deterministic","tf32":false,"threads":1},"pair":1,"pairs":{"data-order":1,"data-split":1,"init":1},"program":"a60cf7f365fdf2d92b4dcd8aa0eb0d51f08d246b","seeds":{"data-order":"e73a20193f23c8b1","data-split":"b75dd054b928b0b7","init":"8cd496b0b5acb0b6"},"values":{"correlation":"0000000000000000","curvature":"0000000000000000","defect":"none","defect_at":0,"dropout":"0000000000000000","effect":"3ff0000000000000","epoch_ms":0,"epochs":1,"failure":"none","failure_at":0,"failure_mib":1024,"failure_share":"3ff0000000000000","interaction":"0000000000000000","items":0,"lr":"3fb999999999999a","mean":"4054000000000000","optimum":"3ff0000000000000","resolution":"0000000000000000","sd":"3ff0000000000000","sd_init":"3fe3333333333333","sd_order":"3fdeb851eb851eb8","sd_split":"3fe47ae147ae147b","steps":4,"validation":false},"variant":"shifted","workload":"null"}','null','shifted',1,1,0);
INSERT INTO "plan" VALUES(X'E7A5739924C4D614E82DC73795478C52573E616307D8BB5651BE6C2F7432D6E6',3,X'E98C1D44529FDD6AB5BBCCF53A06787327EE39A1E469B8B9FD7CF01B863899EE',0,'{"dataset":null,"identity":"e98c1d44529fdd6ab5bbccf53a06787327ee39a1e469b8b9fd7cf01b863899ee","mode":{"deterministic":true,"fused":false,"isa":"avx2","onednn":true,"preset":"deterministic","tf32":false,"threads":1},"pair":1,"pairs":{"data-order":1,"data-split":1,"init":1},"program":"a60cf7f365fdf2d92b4dcd8aa0eb0d51f08d246b","seeds":{"data-order":"e73a20193f23c8b1","data-split":"b75dd054b928b0b7","init":"8cd496b0b5acb0b6"},"values":{"correlation":"0000000000000000","curvature":"0000000000000000","defect":"none","defect_at":0,"dropout":"0000000000000000","effect":"0000000000000000","epoch_ms":0,"epochs":1,"failure":"none","failure_at":0,"failure_mib":1024,"failure_share":"3ff0000000000000","interaction":"0000000000000000","items":0,"lr":"3fb999999999999a","mean":"4054000000000000","optimum":"3ff0000000000000","resolution":"0000000000000000","sd":"3ff0000000000000","sd_init":"3fe3333333333333","sd_order":"3fdeb851eb851eb8","sd_split":"3fe47ae147ae147b","steps":4,"validation":false},"variant":"base","workload":"null"}','null','base',1,1,0);
CREATE TABLE series(
  trial_id INTEGER NOT NULL REFERENCES trial ON DELETE RESTRICT,
  metric_id INTEGER NOT NULL REFERENCES metric_def ON DELETE RESTRICT,
  chunk INTEGER NOT NULL CHECK(chunk>=0),
  count INTEGER NOT NULL CHECK(count BETWEEN 1 AND 4096),
  codec TEXT NOT NULL CHECK(codec IN('raw1','zstd1')),
  digest BLOB NOT NULL CHECK(length(digest)=32),
  data BLOB NOT NULL CHECK(length(data)<=131072),
  PRIMARY KEY(trial_id,metric_id,chunk)) STRICT, WITHOUT ROWID;
CREATE TABLE study(
  digest BLOB PRIMARY KEY REFERENCES document(digest) ON DELETE RESTRICT,
  name TEXT NOT NULL CHECK(length(name) BETWEEN 1 AND 200),
  trials INTEGER NOT NULL CHECK(trials>=0)) STRICT, WITHOUT ROWID;
INSERT INTO "study" VALUES(X'E7A5739924C4D614E82DC73795478C52573E616307D8BB5651BE6C2F7432D6E6','null',4);
CREATE TABLE tag(subject BLOB NOT NULL CHECK(length(subject)=32), key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY(subject,key,value)) STRICT, WITHOUT ROWID;
CREATE TABLE trial(
  trial_id INTEGER PRIMARY KEY,
  record BLOB NOT NULL UNIQUE CHECK(length(record)=32),
  payload BLOB NOT NULL CHECK(length(payload)=32),
  identity BLOB NOT NULL CHECK(length(identity)=32), replicate INTEGER NOT NULL CHECK(replicate>=0),
  attempt BLOB NOT NULL UNIQUE CHECK(length(attempt)=16),
  environment BLOB NOT NULL REFERENCES environment(digest) ON DELETE RESTRICT,
  status TEXT NOT NULL CHECK(status IN('ok','diverged','failed','timeout','oom','killed')),
  started_ns INTEGER NOT NULL, wall_ns INTEGER NOT NULL CHECK(wall_ns>=0),
  cpu_ns INTEGER CHECK(cpu_ns>=0), peak_rss INTEGER CHECK(peak_rss>=0), peak_gpu INTEGER CHECK(peak_gpu>=0),
  exit_code INTEGER, signal INTEGER,
  worker TEXT NOT NULL, host TEXT,
  boot BLOB CHECK(boot IS NULL OR length(boot)=16), launch BLOB CHECK(launch IS NULL OR length(launch)=16),
  message TEXT CHECK(message IS NULL OR length(message)<=4096)) STRICT;
INSERT INTO "trial" VALUES(1,X'88CDBB51759836BA34883B6023C0056BE9394A4168444F7207E30437650AF429',X'D18DF3C8962E01D52A45101F1A93448F3D192629024669D8DEA3215CEB23E1B4',X'B63B02EF47B004224BA1D8DFB287C8E72386FAA10910F2CE13E148C659777B76',0,X'82CC94C736F1FEEA279540FE94AE95D8',X'92EA95D5FFFF13F49992F8EBAFD8D37ED3EB09178569747799052C958CB55A7E','ok',1795729435019985780,1245579,771000,10948608,NULL,NULL,NULL,'retrial-worker a60cf7f365fd','somewhere',X'6F87D9FE74DF3400197D7D43EDDB5B5A',X'A35F1BC6BDC0B745612E5F13CEDFD123',NULL);
INSERT INTO "trial" VALUES(2,X'6E0D3A33140652793E30A65AEA4A5FB36F56DD871ED6D497B7E2B61F387C44BB',X'A7F38DCFA607EFE133C5E2158AF579A0F4E05C81C7038DDDB436469FD5ACAA93',X'3DBF289C03868D5D5B78F958D89B749BE4364A883F940B3E41AD26FE8162A788',0,X'41204A6AC8F39954D73048203EDA5ACB',X'21C0051D4BBE4426AB0E49527848D36F5111DBE4EDED1B7B69445C326440542D','ok',1795729435020134541,1488405,833000,10964992,NULL,NULL,NULL,'retrial-worker a60cf7f365fd','somewhere',X'6F87D9FE74DF3400197D7D43EDDB5B5A',X'A35F1BC6BDC0B745612E5F13CEDFD123',NULL);
INSERT INTO "trial" VALUES(3,X'C0A9206BB99ADE78E0DD9FAE4E1C63393733360BCDB068DB57B969EB802DF370',X'B95E999A45B7D7C46B1183DD5E963DA15E7FE2E2AFE73A177FE9F0F2C84A13E0',X'084B9B42D1D3CA439A1B54E0E283532B5D60CF07803FC4E05A34EDA04F6C579E',0,X'4F42CCA4F6A0DDFE1C1F2E54A3A8EAC5',X'21C0051D4BBE4426AB0E49527848D36F5111DBE4EDED1B7B69445C326440542D','ok',1795729435021397135,614743,52000,11005952,NULL,NULL,NULL,'retrial-worker a60cf7f365fd','somewhere',X'6F87D9FE74DF3400197D7D43EDDB5B5A',X'A35F1BC6BDC0B745612E5F13CEDFD123',NULL);
INSERT INTO "trial" VALUES(4,X'725F9002F07F7B73067C22CDB668AB0FC3C6116D123CB88D545D2ECCFCC1F2AF',X'38B3A9872959E3A9321E616357E5A6AAC22D68F2DB27BEDF4D4D160E071EEEB6',X'E98C1D44529FDD6AB5BBCCF53A06787327EE39A1E469B8B9FD7CF01B863899EE',0,X'FE0A1F051731E08F80C0DFBF9C4A5615',X'92EA95D5FFFF13F49992F8EBAFD8D37ED3EB09178569747799052C958CB55A7E','ok',1795729435021791065,463794,64000,10964992,NULL,NULL,NULL,'retrial-worker a60cf7f365fd','somewhere',X'6F87D9FE74DF3400197D7D43EDDB5B5A',X'A35F1BC6BDC0B745612E5F13CEDFD123',NULL);
CREATE TABLE verdict(
  document BLOB PRIMARY KEY REFERENCES document(digest) ON DELETE RESTRICT,
  study BLOB REFERENCES study(digest) ON DELETE RESTRICT,
  claim TEXT NOT NULL, verdict TEXT NOT NULL, inputs BLOB NOT NULL CHECK(length(inputs)=32)) STRICT, WITHOUT ROWID;
CREATE INDEX plan_listing ON plan(study,ordinal,identity,replicate,workload,variant,pair_index,block,estimate_ns);
CREATE INDEX trial_by_identity ON trial(identity,replicate,status,started_ns,record);
CREATE INDEX metric_by_name ON metric(metric_id,step,trial_id,value,bits);
CREATE INDEX event_excluded ON event(identity,attempt) WHERE kind='excluded';
CREATE VIEW v_trial AS
  SELECT t.trial_id, lower(hex(t.record)) AS record, lower(hex(t.identity)) AS identity, t.replicate,
    lower(hex(t.attempt)) AS attempt, s.name AS study, p.workload, p.variant, p.pair_index, p.ordinal, t.status,
    t.started_ns, t.wall_ns / 1e9 AS wall_s, t.cpu_ns / 1e9 AS cpu_s, t.peak_rss, t.worker, t.host, t.message
  FROM trial t
  LEFT JOIN plan p ON p.identity = t.identity AND p.replicate = t.replicate
  LEFT JOIN study s ON s.digest = p.study;
CREATE VIEW v_metric AS
  SELECT v.study, v.workload, v.variant, v.pair_index, v.replicate, v.identity, v.status, d.name AS metric, d.unit,
    d.direction, m.step, m.value, m.bits
  FROM v_trial v JOIN metric m ON m.trial_id = v.trial_id JOIN metric_def d ON d.metric_id = m.metric_id;
CREATE VIEW v_summary AS
  SELECT study, workload, variant, pair_index, replicate, identity, status, metric, unit, value, bits
  FROM v_metric WHERE step = -1;
CREATE VIEW v_failure AS
  SELECT study, workload, variant, pair_index, replicate, identity, attempt, status, message
  FROM v_trial WHERE status NOT IN('ok','diverged');
CREATE VIEW v_plan_status AS
  SELECT s.name AS study, p.ordinal, p.workload, p.variant, p.pair_index, p.replicate,
    lower(hex(p.identity)) AS identity, count(t.trial_id) AS attempts,
    coalesce(sum(t.status IN('ok','diverged')), 0) AS finished
  FROM plan p JOIN study s ON s.digest = p.study
  LEFT JOIN trial t ON t.identity = p.identity AND t.replicate = p.replicate
  GROUP BY p.study, p.ordinal;
COMMIT;
