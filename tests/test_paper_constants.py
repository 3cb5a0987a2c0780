"""Constants and formulas in the paper are those of the code, and the proofs' numbers hold."""

import itertools
import math
import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ccerates.analysis.comparison import RELATIVE_TOLERANCE
from ccerates.analysis.sample_complexity import LARGEST_TARGET
from ccerates.analysis.statistics import CONFIDENCE
from ccerates.bandits.adversaries import ADVERSARIES
from ccerates.bandits.registry import bandit_parameters
from ccerates.games.families import make_game
from ccerates.online import evb_options, evb_stage
from ccerates.online.baseline import EXPLORATION
from ccerates.online.evb_options import EvbOnlineOptions
from ccerates.online.schedule import stage_lengths
from ccerates.simulator.q_ftrl import LEARNING_CONSTANTS
from ccerates.theory import constants
from ccerates.theory.rates import AXES, RATES, TOLERANCE

DIRECT = (constants.DIRECT_DEVIATION, constants.DIRECT_RANGE)
SECTIONS = (Path(__file__).parents[1] / "paper" / "sections").glob("*.typ")
SOURCES = {path.stem: path.read_text(encoding="utf-8") for path in SECTIONS}


def found(section: str, expected: str) -> bool:
    """Tell whether a section says something, whatever its line breaks and thin spaces."""
    source = re.sub(r"\s+", " ", SOURCES[section]).replace("thin ", "")
    return expected in source


@pytest.mark.parametrize(
    ("section", "expected"),
    [
        ("bandit", f"$c_1 = {constants.PLAYED_DEVIATION}$, $c_2 = {constants.PLAYED_RANGE}$ and"),
        ("bandit", f"let $c_1 = {constants.PLAYED_DEVIATION}$, $c_2 = {constants.PLAYED_RANGE}$,"),
        (
            "bandit",
            f'eta_"max" = {constants.STABILITY_LIMIT} / (B (1 + c_1 sqrt(iota) + c_2 iota))',
        ),
        ("bandit", f"c_1 sqrt(iota) = {constants.PRACTICAL_DEVIATION}$ and $c_2 = 0$"),
        (
            "bandit",
            "<= {} sqrt(iota sum_(k=1)^K (x'_k - m'_k)^2) + {} B iota".format(*DIRECT),
        ),
        (
            "simulator",
            f"({constants.DIRECT_DEVIATION} sqrt(iota V'_i) + {constants.DIRECT_RANGE} B_h iota)",
        ),
        ("simulator", f"+ {constants.DIRECT_DEVIATION} sqrt(iota_i sum_k (alpha^K_k)^2"),
        ("simulator", f"- {constants.DIRECT_DEVIATION} sqrt(iota_i sum_k (alpha^K_k)^2"),
        ("simulator", f'+ {constants.DIRECT_RANGE} alpha_"max" B_h iota_i'),
        ("simulator", f'- {constants.DIRECT_RANGE} alpha_"max" B_h iota_i'),
        ("simulator", f"${constants.PRACTICAL_DEVIATION} sqrt(V'_i)$ replaces both terms"),
        ("simulator", f"asks for $c_a >= {LEARNING_CONSTANTS['theory'][0]:g}$"),
        ("proofs-bandit", f"makes the last factor at most ${constants.PLAYED_RANGE} iota$"),
        ("proofs-bandit", f"|eta_k w_k (a) g_k (a)| <= {constants.STABILITY_LIMIT}$"),
        (
            "proofs-games",
            f"({constants.DIRECT_DEVIATION} sqrt(iota V'_i) + {constants.DIRECT_RANGE} B_h iota)",
        ),
        (
            "online",
            "- {} sqrt(iota V'_n) - {} B_h iota) \\/ n}}".format(*DIRECT),
        ),
        (
            "proofs-online",
            "(sum_j x'_j - {} sqrt(iota V'_n) - {} B_h iota) \\/ n$".format(*DIRECT),
        ),
        ("online", f"and $gamma$ at ${EXPLORATION['practical']}$ of the published one"),
        ("online", f"${constants.PRACTICAL_DEVIATION} sqrt(V'_n)$ replaces both terms"),
        ("limitations", f"bias of EVB, ${constants.PRACTICAL_DEVIATION}$"),
        ("experiments", f"target exceeds ${LARGEST_TARGET}$"),
        ("experiments", f"$plus.minus {TOLERANCE['horizon']}$, but"),
        ("experiments", f"$plus.minus {TOLERANCE['states']}$ for $S$"),
        ("experiments", f"$plus.minus {TOLERANCE['epsilon']}$ for $epsilon_0$"),
        ("evaluation", f"relative $10^({math.log10(RELATIVE_TOLERANCE):.0f})$"),
        ("checks", f"two-sided {100 * CONFIDENCE:.0f} % Clopper-Pearson"),
        ("experiments", f"Intervals hold {100 * CONFIDENCE:.0f} %"),
    ],
)
def test_constants_are_those_of_the_code(section: str, expected: str) -> None:
    assert found(section, expected)


def test_only_horizons_players_and_actions_have_the_wide_allowance() -> None:
    narrow = {axis for axis, tolerance in TOLERANCE.items() if tolerance != TOLERANCE["horizon"]}
    assert narrow == {"states", "epsilon"}
    two_sided = RATES["simulator", "evb-sim"].two_sided
    assert set(AXES) - two_sided == {"players", "action-sum"}


@pytest.mark.parametrize("num_actions", [1, 3, 16])
@pytest.mark.parametrize("rounds", [1, 50, 10**6])
@pytest.mark.parametrize("failure", [0.5, 1e-4])
def test_formulas_of_the_paper_are_those_of_the_code(
    num_actions: int, rounds: int, failure: float
) -> None:
    assert found("bandit", "iota = ln (A N) / delta")
    assert found("bandit", "N = (2 log_2 K/delta + log_2 A + 8)(log_2 K + 7)")
    levels = 2 * math.log2(rounds / failure) + math.log2(num_actions) + 8
    iota = math.log(num_actions * levels * (math.log2(rounds) + 7) / failure)
    got = constants.bandit_constants("rigorous", num_actions, rounds, 2.5, failure)
    assert got.bias_deviation == pytest.approx(1.44 * math.sqrt(iota))
    assert got.bias_range == pytest.approx(2.36 * iota)
    assert got.maximal_rate == pytest.approx(
        0.68 / (2.5 * (1 + 1.44 * math.sqrt(iota) + 2.36 * iota))
    )
    assert got.lower_deviation == pytest.approx(1.44 * math.sqrt(iota))
    assert got.lower_range == pytest.approx(1.18 * iota)
    practical = constants.bandit_constants("practical", num_actions, rounds, 2.5, failure)
    assert practical == pytest.approx((0.25, 0.0, 0.68 / (2.5 * 1.25), 0.25, 0.0))
    assert found("simulator", '$iota_i = ln((A_i + 1)(log_2 K + 7) \\/ delta_"loc")$')
    direct = math.log((num_actions + 1) * (math.log2(rounds) + 7) / failure)
    assert constants.direct_iota(num_actions + 1, rounds, failure) == pytest.approx(direct)


@pytest.mark.parametrize("num_actions", [1, 3, 16])
@pytest.mark.parametrize("rounds", [1, 50, 10**6])
@pytest.mark.parametrize("failure", [0.5, 1e-4])
def test_union_bound_of_the_proof_has_room(num_actions: int, rounds: int, failure: float) -> None:
    got = constants.bandit_constants("rigorous", num_actions, rounds, 1.0, failure)
    iota = (got.bias_deviation / constants.PLAYED_DEVIATION) ** 2
    share = math.exp(-iota)  # delta', the probability of each event
    ranges = 1 + max(0, math.ceil(math.log2(rounds / (num_actions * share))))
    levels = 1 + max(0, math.ceil(math.log2(64 * rounds / iota)))
    events = num_actions * ranges * levels + num_actions + levels
    assert events * share <= failure


def test_every_level_of_the_deviation_lemma_keeps_its_constants() -> None:
    iota = 5.0
    for squares in np.geomspace(1e-3, 1e7, 2001):
        level = max(0, math.ceil(math.log2(64 * squares / iota)))
        middle = iota * 2 ** (level - 0.5) / 64
        sigma = math.sqrt(middle / (2 * iota)) if level else 1 / math.sqrt(128)
        rate = 1 / (1 + sigma)
        bound = (-math.log1p(-rate) - rate) / rate * squares + iota / rate
        assert bound <= 1.436 * math.sqrt(iota * squares) + 1.177 * iota
    assert constants.DIRECT_DEVIATION >= 1.436
    assert constants.DIRECT_RANGE >= 1.177
    limit = constants.STABILITY_LIMIT
    assert -limit - math.log1p(-limit) <= limit**2  # phi(c) <= c^2 up to the limit
    assert constants.PLAYED_RANGE * math.log(56) >= 2 * 1.177 * math.log(56) + 1 / 56


@pytest.mark.parametrize("rounds", [500, 10**7])
def test_our_rates_of_published_bandits_are_as_described(rounds: int) -> None:
    assert found("bandits", "the best arm, is $sqrt(A ln K \\/ K)$")
    assert found("bandits", "doubling trick, is $min{1\\/162, sqrt(A ln K \\/ K)}$")
    rate = math.sqrt(3 * math.log(rounds) / rounds)
    for name, expected in {
        "log-barrier": rate, "optimistic-log-barrier": min(1 / 162, rate)
    }.items():  # fmt: skip
        got = bandit_parameters(name, None, num_actions=3, rounds=rounds, gain_bound=2.0)
        assert got.rate == pytest.approx(expected)


def test_adversaries_are_as_described() -> None:
    def means(name: str) -> list[tuple[Fraction, float, float]]:
        phases, _ = ADVERSARIES[name]().phases()
        mean = lambda law: law.low + (law.high - law.low) * law.probability  # noqa: E731
        return [(phase.begin, mean(phase.first), mean(phase.others)) for phase in phases]

    assert means("switching") == [(0, 0.0, 0.5), (Fraction(1, 3), 1.0, 0.5)]
    (_, worse, others), (half, better, _) = means("late-optimum")
    assert half == Fraction(1, 2)
    assert worse < others < better
    assert (worse + better) / 2 > others
    [(_, best, others)] = means("high-variance-optimum")
    assert best > others
    first = ADVERSARIES["high-variance-optimum"]().phases()[0][0].first
    assert (first.low, first.high) == (0.0, 1.0)
    assert ADVERSARIES["adaptive"]().phases()[1] < 0
    assert all(ADVERSARIES[name]().phases()[1] == 0 for name in set(ADVERSARIES) - {"adaptive"})


@pytest.mark.parametrize(("horizon", "asymptotic"), [(8, True), (7, False)])
def test_the_hard_family_is_as_described(horizon: int, asymptotic: bool) -> None:
    assert found("experiments", "D = (8 epsilon_0) / H^2")
    assert found("experiments", "$m D > 1\\/H$, that is $H < 8 m epsilon_0$, are never fitted")
    parameters = {
        "num_players": 2, "num_actions": 3, "alive_states": 2, "horizon": horizon, "eps_game": 0.5,
    }  # fmt: skip
    game = make_game("survival", parameters, np.random.default_rng(1))
    assert game.metadata["D"] == pytest.approx(8 * 0.5 / horizon**2)
    assert game.metadata["asymptotic"] == asymptotic == (horizon >= 8 * 2 * 0.5)


@pytest.mark.parametrize("horizon", [1, 2, 7, 47, 55])
def test_stages_are_as_few_and_weigh_as_little_as_the_proof_says(horizon: int) -> None:
    assert found("proofs-online", "$n_t >= H (1 + 1\\/(2H))^(t-1)$")
    assert found("proofs-online", "$T = 1 + 3 H ln K$")
    assert found("proofs-online", "$n_(t+1) = n_t + floor(n_t \\/ H)$")
    lengths = stage_lengths(horizon, 10**7)
    assert lengths[0] == horizon
    for before, after in itertools.pairwise(lengths):
        assert after == before + before // horizon
        assert horizon * after <= (horizon + 1) * before
    growth = (1 + 1 / (2 * horizon)) ** np.arange(len(lengths))
    assert (lengths >= horizon * growth * (1 - 1e-12)).all()
    for completed, visits in enumerate(np.cumsum(lengths)[:-1], start=1):
        most = 1 + 3 * horizon * math.log(visits)
        assert completed <= most
        # The next stage's visits, each with the inverse length of the last completed one.
        assert sum(lengths[1 : completed + 1] / lengths[:completed]) <= 2 * most


@pytest.mark.parametrize("horizon", [1, 3, 5])
def test_no_visit_weighs_more_than_the_proof_says(horizon: int) -> None:
    assert found("proofs-online", "$omega_h <= (1 + 1\\/H)^(h-1) <= e$")
    episodes, num_states = 2000, 3
    states = np.random.default_rng(horizon).integers(num_states, size=(episodes, horizon + 1))
    ends = np.cumsum(stage_lengths(horizon, episodes))
    weight = np.ones(episodes)  # expected chains with an index, one started in each episode
    for step in range(horizon):
        following = np.zeros(episodes)
        for state in range(num_states):
            visits = np.flatnonzero(states[:, step] == state)
            for number, episode in enumerate(visits):
                completed = int(np.searchsorted(ends, number, side="right"))
                if completed > 0:
                    begin, end = ([0, *ends])[completed - 1], ends[completed - 1]
                    following[visits[begin:end]] += weight[episode] / (end - begin)
        bound = (1 + 1 / horizon) ** (step + 1)
        assert following.max() <= bound * (1 + 1e-9)
        assert following.max() > 0.9 * bound  # full stages reach it
        weight = following


@pytest.mark.parametrize("players", [1, 3])
def test_confidence_of_the_stages_sums_to_half(players: int) -> None:
    assert found("online", "delta_t = delta / (2 m H S t (t+1))")
    shape = ((2,) * players, 4, 3)
    options = EvbOnlineOptions(constants="rigorous", failure=0.1)
    parameters = evb_options.choose_parameters(options, shape, episodes=1000)
    share = 0.1 / (2 * players * 3 * 4)
    for stage, length in enumerate(parameters.length[:20]):
        each = share / ((stage + 1) * (stage + 2))
        expected = constants.bandit_constants("rigorous", 2, int(length), 2.0, each)
        got = parameters.constants[1, stage, 0]
        assert got[evb_stage.BIAS_DEVIATION] == pytest.approx(expected.bias_deviation)
        assert got[evb_stage.LOWER_RANGE] == pytest.approx(expected.lower_range)
    total = sum(share / (t * (t + 1)) for t in range(1, 10**5)) * players * 3 * 4
    assert 0.04999 < total <= 0.05
