#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "workloads/distillation/methods/methods.hpp"

/// The losses as functions of tensors, in any floating type. Logits are (B, K), labels int64 (B), features (B, D), maps
/// (B, C, H, W), B samples. The teacher's side has no gradient. Maps of different sizes are compared at the smaller
/// size, the larger map is averaged. Sizes that do not fit and batches of 1 where samples are compared throw
/// InvalidInput.
namespace retrial::distillation::inline losses {

/// -(1/B) sum_b log p(z_b)[y_b].
[[nodiscard]] at::Tensor ce(const at::Tensor& student, const at::Tensor& labels);

/// Divergence of the student's softened distribution from the teacher's (Hinton, Vinyals, Dean 2015):
/// (T^2 if t_squared) * reduce sum_k p^t_k log(p^t_k / p^s_k), both softmaxes at temperature T. 0 log 0 = 0. Gradient
/// with respect to the student's logits, batch mean and T^2: T (p^s - p^t) / B. Different shapes throw
/// InvalidInput("teacher").
[[nodiscard]] at::Tensor soft(const at::Tensor& student, const at::Tensor& teacher, const Weights& weights);

/// soft of logits standardized to mean 0 and sd 1 (K - 1 in the denominator, 1e-7 added; Sun et al., CVPR 2024).
[[nodiscard]] at::Tensor lstd(const at::Tensor& student, const at::Tensor& teacher, const Weights& weights);

/// mean_b (1 - cos(z^s_b, z^t_b)), denominator at least 1e-8.
[[nodiscard]] at::Tensor cosine(const at::Tensor& student, const at::Tensor& teacher);

/// Decoupled divergence (Zhao et al., CVPR 2022), one value per sample, without T^2: target is the divergence of (p_y,
/// 1 - p_y), others that of the distributions over the non-target classes. KL = target + (1 - p^t_y) others.
struct Decoupled {
  at::Tensor target, others;
};
[[nodiscard]] Decoupled decoupled(const at::Tensor& student, const at::Tensor& teacher, const at::Tensor& labels,
                                  double temperature);

/// T^2 (1 - mean Pearson correlation of probabilities), of the rows or of the columns, 1e-8 in the denominator (Huang
/// et al., NeurIPS 2022).
[[nodiscard]] at::Tensor dist_inter(const at::Tensor& student, const at::Tensor& teacher, double temperature);
[[nodiscard]] at::Tensor dist_intra(const at::Tensor& student, const at::Tensor& teacher, double temperature);

/// Attention of a map, the places of large squared features, as one unit vector (B, H*W): N(vec(mean_c F^2)).
[[nodiscard]] at::Tensor attention(const at::Tensor& map);
/// For one stage. code: mean over B*HW of the squared difference of attention; paper: mean over B of its length
/// (Zagoruyko and Komodakis, ICLR 2017; the two differ by more than a constant).
enum class AtMode { code, paper };
[[nodiscard]] at::Tensor at_loss(const at::Tensor& student, const at::Tensor& teacher, AtMode mode);

/// Mean absolute difference of attention, which compares the factors of ft (Kim et al., NeurIPS 2018).
[[nodiscard]] at::Tensor ft(const at::Tensor& student, const at::Tensor& teacher);

/// |G_t - G_s|^2 / B^2, G the rows of M M^T at unit length, M samples by features (Tung and Mori, ICCV 2019).
[[nodiscard]] at::Tensor sp(const at::Tensor& student, const at::Tensor& teacher);

/// For embeddings (B, E) (Peng et al., ICCV 2019). delta: |e_s - e_t| of a sample times that of its successor in the
/// batch, so the order of the batch matters. kernel and bilinear: |K_s - K_t| / B^2 of unit embeddings, K the Gaussian
/// kernel's series to order 2 (gamma .4), or inner products.
[[nodiscard]] at::Tensor cc_delta(const at::Tensor& student, const at::Tensor& teacher);
[[nodiscard]] at::Tensor cc_kernel(const at::Tensor& student, const at::Tensor& teacher, bool gaussian);

/// mean of ((mu - t)^2 / variance + ln variance) / 2, variance (C) (Ahn et al., CVPR 2019).
[[nodiscard]] at::Tensor vid(const at::Tensor& mu, const at::Tensor& teacher, const at::Tensor& variance);

/// Smooth l1 of distances over their mean, and of the cosines of all angles (Park et al., CVPR 2019). Identical points
/// on one side throw InvalidInput: zero spread.
[[nodiscard]] at::Tensor rkd_distance(const at::Tensor& student, const at::Tensor& teacher);
[[nodiscard]] at::Tensor rkd_angle(const at::Tensor& student, const at::Tensor& teacher);

/// mean over B^2 of P_t ln((P_t + e) / (P_s + e)), P the rows of (cosine + 1) / 2 at sum 1, e = 1e-7 (Passalis and
/// Tefas, ECCV 2018). A row of zeros has similarity 1/2 with all.
[[nodiscard]] at::Tensor pkt(const at::Tensor& student, const at::Tensor& teacher);

/// Sum over elements of (s + 1)^2 where s > -1 and t <= 0, (s - 1)^2 where s <= 1 and t > 0 (Heo et al., AAAI 2019).
[[nodiscard]] at::Tensor ab(const at::Tensor& student, const at::Tensor& teacher);

/// Mean of a normal variable's negative part, w and b those of the batch norm that gives it: b - |w| phi(b/w) /
/// Phi(-b/|w|), -3 |w| where Phi <= .001 (Heo et al., ICCV 2019). w = 0: b if negative, else 0.
[[nodiscard]] double ofd_margin(double w, double b);
/// Sum over elements of (s - m)^2 where t <= m < s, (s - t)^2 where m < t <= 0 and s > t or where t > 0.
[[nodiscard]] at::Tensor ofd(const at::Tensor& student, const at::Tensor& teacher, const at::Tensor& margin);

/// Flow between two maps of a network, (B, C, D): (1/HW) sum F_c F'_d (Yim et al., CVPR 2017).
[[nodiscard]] at::Tensor flow(const at::Tensor& first, const at::Tensor& second);

/// Squared maximum mean discrepancy of channels at unit length, kernel (a.b)^2 (Huang and Wang, 2017).
[[nodiscard]] at::Tensor nst(const at::Tensor& student, const at::Tensor& teacher);

/// One side of contrastive distillation (Tian et al., ICLR 2020): -(1/B) [sum ln P+/(P+ + m/n + eps) +
/// sum ln (m/n)/(P- + m/n + eps)], positive (B), negative (B, m).
[[nodiscard]] at::Tensor contrast(const at::Tensor& positive, const at::Tensor& negative, double n, double eps = 1e-7);

/// Distance of two maps at full size and averaged to 4x4, 2x2 and 1x1 where that is smaller, weights halving, over
/// their sum (Chen et al., CVPR 2021).
[[nodiscard]] at::Tensor hcl(const at::Tensor& student, const at::Tensor& teacher);

/// Squared distance of the maps of all stages together, per element.
[[nodiscard]] at::Tensor pkd(const std::vector<at::Tensor>& student, const std::vector<at::Tensor>& teacher);

/// Per sample, the length over channels of the difference of the maps' maxima + 1e-6; sfd is the largest of a batch.
[[nodiscard]] at::Tensor sfd_rows(const at::Tensor& student, const at::Tensor& teacher);
[[nodiscard]] at::Tensor sfd(const at::Tensor& student, const at::Tensor& teacher);

/// mean over elements of (t - s)^2 / (1e-6 + e^a) + a (Zhang et al., ECCV 2020).
[[nodiscard]] at::Tensor pad(const at::Tensor& student, const at::Tensor& teacher, const at::Tensor& log_variance);

/// -(1/B) log likelihood (Plackett-Luce) of the teacher's order of the four nearest under the student's scores -3 d^3
/// (Chen et al., AAAI 2018). Fewer than four others: all of them.
[[nodiscard]] at::Tensor darkrank(const at::Tensor& student, const at::Tensor& teacher);

/// Squared difference of the relations of singular vectors from stage to stage, over B (Lee et al., ECCV 2018): per
/// sample and stage the teacher's leading right vector, with the sign that makes its first component of largest
/// magnitude positive, and, of the student's first four, the one nearest to it with its sign; exp(-(v_i - w_j)^2 / 8)
/// of the components of consecutive stages. `skipped` counts values that were not finite, which count as 0, as do such
/// gradients. Needs equal channels.
struct Relations {
  at::Tensor value;
  std::int64_t skipped = 0;
};
[[nodiscard]] Relations kdsvd(const std::vector<at::Tensor>& student, const std::vector<at::Tensor>& teacher);

}  // namespace retrial::distillation::inline losses
