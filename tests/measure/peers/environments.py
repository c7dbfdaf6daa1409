#!/usr/bin/env python3
"""Gymnasium's environments beside ours: states and rewards, bit for bit, on fresh seeds and random actions. Of the walkers
on MuJoCo, whose version here is another one, the starts and how many whole episodes are equal bit for bit, and the first
five steps within 1e-6.
  environments.py RETRIAL [SEED]     RETRIAL: the program; run by the environment `gymnasium` (environment.py gymnasium --make)
SEED fixes the seeds of the episodes; by default they are drawn from the clock and printed. Exit 1 where a bit differs.
NumPy takes sines and cosines from the mathematical library only with its own AVX-512 code off; this script starts itself
again so. Actions are float64, as ours are.
"""
import json, os, subprocess, sys, time

OFF = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
if "NPY_DISABLE_CPU_FEATURES" not in os.environ:
    with open("/proc/cpuinfo") as cpu:
        has = " avx512f " in cpu.read()
    os.environ["NPY_DISABLE_CPU_FEATURES"] = OFF if has else ""
    os.execv(sys.executable, [sys.executable, "-W", "ignore", *sys.argv])

import gymnasium, numpy as np

program = sys.argv[1]
seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
episodes, most = 40, 500
print(f"gymnasium {gymnasium.__version__}, numpy {np.__version__}, seed {seed}")


def ours(env, reset, actions, promotion=2):
    words = [program, "show", "--formula", "rollout", f"env={env}", f"seed={reset}", f"numpy_promotion={promotion}",
             "actions=" + ",".join(repr(a) for a in actions)]
    found = json.loads(subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE).stdout)
    return [[float.fromhex(x) for x in state] for state in found["states"]], found


def theirs(name, reset, choose):
    env = gymnasium.make(name, max_episode_steps=most)
    env.reset(seed=reset)
    states, rewards, actions = [[float(x) for x in env.unwrapped.state]], [], []
    for t in range(most):
        action = choose(env.unwrapped.state)
        actions.append(float(action) if np.isscalar(action) else float(action[0]))
        _, reward, terminated, truncated, _ = env.step(action)
        states.append([float(x) for x in env.unwrapped.state])
        rewards.append(float(reward))
        if terminated or truncated:
            break
    return states, rewards, actions, terminated


draws = np.random.default_rng(seed)


def along(state, left, right):
    """Mostly in the direction of motion, so that a car reaches its ends and the goal."""
    if draws.uniform() < .3:
        return left if draws.uniform() < .5 else right
    return right if state[1] >= 0 else left


def pushed(state):
    size = draws.uniform(0, 1.5)
    return np.array([along(state, -size, size)])


choices = {
    "cartpole": ("CartPole-v1", lambda state: int(draws.integers(2))),
    "acrobot": ("Acrobot-v1", lambda state: int(draws.integers(3))),
    "mountaincar": ("MountainCar-v0", lambda state: along(state, 0, 2)),
    "mountaincar-continuous": ("MountainCarContinuous-v0", pushed),
    "pendulum": ("Pendulum-v1", lambda state: np.array([draws.uniform(-3, 3)])),
}
failures = 0
for env, (name, choose) in choices.items():
    steps = different = 0
    for _ in range(episodes):
        reset = int(draws.integers(2**62)) if draws.integers(2) else int(draws.integers(1000))
        states, rewards, actions, terminated = theirs(name, reset, choose)
        found, answer = ours(env, reset, actions)
        known = len(answer["rewards"])  # our time limit may be shorter
        steps += known
        different += found != states[:known + 1]
        different += answer["rewards"] != rewards[:known]
        different += known == len(rewards) and terminated != answer["terminated"]
    print(f"{env:24} {steps:6} steps   {'0 ULP' if different == 0 else f'{different} of {episodes} episodes differ'}")
    failures += different > 0


def walker(env, name):
    """Starts that differ, the largest difference within five steps, and episodes and steps that are equal to their end."""
    theirs = gymnasium.make(name).unwrapped
    starts, largest, equal, steps = 0, 0.0, 0, 0
    for _ in range(episodes):
        reset = int(draws.integers(2**62))
        theirs.reset(seed=reset)
        actions, over = draws.uniform(-1, 1, (most, theirs.action_space.shape[0])), False
        states = [np.concatenate([theirs.data.qpos, theirs.data.qvel])]
        while not over and len(states) <= most:
            over = theirs.step(actions[len(states) - 1])[2]
            states.append(np.concatenate([theirs.data.qpos, theirs.data.qvel]))
        found, answer = ours(env, reset, [float(x) for x in actions.ravel()])
        starts += not np.array_equal(found[0], states[0])
        equal += np.array_equal(found, states) and answer["terminated"] == over
        steps += len(states) - 1
        for ours_at, theirs_at in zip(found[:6], states):
            largest = max(largest, float(np.abs(np.array(ours_at) - theirs_at).max()))
    return starts, largest, equal, steps


for env, name in (("hopper", "Hopper-v4"), ("walker2d", "Walker2d-v4")):
    starts, largest, equal, steps = walker(env, name)
    print(f"{env:24} {steps:6} steps   starts {'0 ULP' if starts == 0 else f'{starts} differ'}; five steps differ by at most {largest:.1e}; "
          f"{equal} of {episodes} whole episodes 0 ULP")
    failures += starts > 0 or largest > 1e-6
sys.exit(1 if failures else 0)
