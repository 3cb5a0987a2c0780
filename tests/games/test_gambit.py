"""Gambit files: games whose tables are known, two forms of one game, exact numbers."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ccerates.evaluation.markov import cce_gap, uniform_policy
from ccerates.games.gambit import import_gambit
from ccerates.games.store import load_game, save_game
from normal_forms import lowest_gap, openspiel_gap, own_payoffs

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "examples/shapley.nfg", *sorted((ROOT / "config/games").glob("*.nfg"))]

PRISONERS = """NFG 1 R "Prisoner's dilemma" { "Row" "Column" }
{ { "cooperate" "defect" } { "cooperate" "defect" } }
"Rewards 3, temptation 5, punishment 1, sucker 0"
3 3  5 0  0 5  1 1
"""
# Payoff 100 i + 10 j + k at strategies (i, j, k) to player 1, twice that less 7 to player 2, minus
# a third of it to player 3: unequal numbers of strategies, all payoffs different.
ASYMMETRIC = 'NFG 1 D "Asymmetric" { "a" "b" "c" } { 2 3 4 }\n' + "\n".join(
    f"{100 * i + 10 * j + k} {2 * (100 * i + 10 * j + k) - 7}.0 -{100 * i + 10 * j + k}/3"
    for k in range(4)
    for j in range(3)
    for i in range(2)
)
MATCHING_PAYOFFS = 'NFG 1 R "m" { "1" "2" } { 2 2 } 1 -1 -1 1 0 0 1 -1'
MATCHING_OUTCOMES = (
    'NFG 1 R "m" { "1" "2" } { { "h" "t" } { "h" "t" } } "comment"\n'
    '{ { "win" 1, -1 } { "lose" -1 1 } } 1 2 0 1'
)


@pytest.fixture
def read(tmp_path):
    """Import a game from text or bytes."""

    def read(content):
        path = tmp_path / "game.nfg"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return import_gambit(path)

    return read


def test_prisoners_dilemma(read):
    game = read(PRISONERS)
    np.testing.assert_array_equal(own_payoffs(game), [[[3, 0], [5, 1]], [[3, 5], [0, 1]]])
    assert (game.num_states, game.horizon, game.num_actions) == (1, 1, (2, 2))
    assert game.name == "game"
    assert game.metadata == {
        "title": "Prisoner's dilemma",
        "comment": "Rewards 3, temptation 5, punishment 1, sucker 0",
        "players": ["Row", "Column"],
        "actions": [["cooperate", "defect"]] * 2,
        "reward_scale": 5.0,
        "reward_offset": 0.0,
    }
    # Uniform play earns 9/4, defection against it 3; defection dominates, so no CCE does else.
    assert 5 * cce_gap(game, uniform_policy(game)).gap == pytest.approx(3 - 9 / 4)
    assert lowest_gap(own_payoffs(game)) == pytest.approx(0)
    defection = np.array([[[0, 0, 0, 1.0]]])
    assert cce_gap(game, defection).gap == 0
    almost = np.array([[[0.01, 0, 0, 0.99]]])
    assert 5 * cce_gap(game, almost).gap == pytest.approx(0.01 * (5 - 3))


def test_three_players_whose_strategies_differ_in_number(read):
    game = read(ASYMMETRIC)
    assert game.num_actions == (2, 3, 4)
    assert game.metadata["actions"] == [["1", "2"], ["1", "2", "3"], ["1", "2", "3", "4"]]
    assert game.metadata["comment"] == ""
    places = 100 * np.arange(2)[:, None, None] + 10 * np.arange(3)[:, None] + np.arange(4)
    expected = np.stack([places, 2 * places - 7, -places / 3])
    np.testing.assert_allclose(own_payoffs(game), expected, rtol=0, atol=1e-13)


def test_both_forms_of_a_game_are_one_game(read):
    payoffs, outcomes = read(MATCHING_PAYOFFS), read(MATCHING_OUTCOMES)
    assert payoffs.content_hash == outcomes.content_hash
    np.testing.assert_array_equal(own_payoffs(outcomes)[0], [[1, 0], [-1, 1]])


def test_one_player(read):
    game = read('NFG 1 R "alone" { "me" } { 3 } 2 8 4')
    np.testing.assert_array_equal(own_payoffs(game), [[2, 8, 4]])
    assert 6 * cce_gap(game, uniform_policy(game)).gap == pytest.approx(8 - 14 / 3)


def test_players_with_one_strategy(read):
    players = " ".join('"p"' for _ in range(70))
    game = read(f'NFG 1 R "" {{ {players} }} {{ 2 {"1 " * 68} 2 }} ' + "0 " * 279 + "1")
    assert game.reward[0, :, 0].sum() == game.reward[0, 69, 0, 3] == 1


def test_equal_payoffs(read):
    game = read('NFG 1 R "" { "a" "b" } { 2 2 } 7 7 7 7 7 7 7 7')
    np.testing.assert_array_equal(own_payoffs(game), np.full((2, 2, 2), 7.0))
    assert game.metadata["reward_scale"] == 1


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("-7/3", Fraction(-7, 3)),
        (".5", Fraction(1, 2)),
        ("+2.", Fraction(2)),
        ("1.5e-3", Fraction(3, 2000)),
        ("2E+2", Fraction(200)),
        ("1e300", Fraction(10) ** 300),
        ("10000000000000001", Fraction(10**16 + 1)),
    ],
)
def test_numbers_are_mapped_exactly(read, text, value):
    """The table holds (value - offset) / scale, rounded once."""
    low, high = min(value, Fraction(-1, 7)), max(value, Fraction(10**16 + 3))
    game = read(f'NFG 1 R "" {{ "a" }} {{ 3 }} {text} -1/7 10000000000000003')
    assert game.reward[0, 0, 0, 0] == float((value - low) / (high - low))
    assert game.metadata["reward_scale"] == float(high - low)
    assert game.metadata["reward_offset"] == float(low)


def test_blanks_and_breaks_stand_anywhere(read):
    text = MATCHING_OUTCOMES.replace('"comment"', "")
    for blank in ("\n", "\r\n", "\r", "\t \n\n", "  "):
        spread = text.replace(" ", blank).replace("{", f"{blank}{{{blank}").replace("}", "}")
        assert read(spread).content_hash == read(text).content_hash
    dense = 'NFG 1 R"m"{"1""2"}{2 2}{{"win"1,-1}{"lose"-1 1}}1 2 0 1'
    assert read(dense).content_hash == read(text).content_hash


def test_texts_hold_quotes_breaks_and_every_letter(read):
    text = 'NFG 1 R "a \\"b\\"\nc \\d" { "Jörg" "{,}" } { { "é" "" } { "x" } } 1 2 3 4'
    for encoded in (text.encode(), text.encode("latin-1"), b"\xef\xbb\xbf" + text.encode()):
        metadata = read(encoded).metadata
        assert metadata["title"] == 'a "b"\nc \\d'
        assert metadata["players"] == ["Jörg", "{,}"]
        assert metadata["actions"] == [["é", ""], ["x"]]


def test_games_are_stored_as_others(read, tmp_path):
    save_game(read(PRISONERS), tmp_path / "game.npz")
    stored = load_game(tmp_path / "game.npz")
    assert stored.content_hash == read(PRISONERS).content_hash
    assert stored.metadata == read(PRISONERS).metadata


@pytest.mark.parametrize("text", [PRISONERS, MATCHING_OUTCOMES, ASYMMETRIC])
def test_gaps_agree_with_openspiel(read, text):
    """OpenSpiel clips the gap of each player at zero and sums over players."""
    compare_with_openspiel(read(text), seeds=range(3))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_gaps_of_files_agree_with_openspiel(file):
    compare_with_openspiel(import_gambit(file), seeds=range(1))


def compare_with_openspiel(game, seeds):
    for seed in seeds:
        generator = np.random.default_rng(seed)
        policy = np.zeros(game.num_joint_actions)
        support = generator.permutation(len(policy))[:8]  # OpenSpiel takes long for each member
        policy[support] = generator.dirichlet(np.ones(len(support)))
        gaps = cce_gap(game, policy[None, None]).players * game.metadata["reward_scale"]
        assert openspiel_gap(own_payoffs(game), policy) == pytest.approx(np.maximum(gaps, 0).sum())
        assert gaps.max() > 0


def test_shapleys_game():
    """Row wins on the diagonal, Column one beside it; uniform play is the Nash equilibrium."""
    game = import_gambit(FILES[0])
    np.testing.assert_array_equal(own_payoffs(game), [np.eye(3), np.roll(np.eye(3), 1, axis=1)])
    assert cce_gap(game, uniform_policy(game)).gap == pytest.approx(0, abs=1e-15)
    # Fictitious play fails here, but sharing the six cells in which somebody wins is a CCE.
    winning = own_payoffs(game).sum(axis=0).ravel() / 6
    assert cce_gap(game, winning[None, None]).players == pytest.approx([-1 / 6, -1 / 6])


# Gaps of uniform play in the payoffs' units, by hand: in the money request game 19 earns
# 19 + 20/10 and the average request 15.5 + 20 * 9/100; a volunteer gets 50 and who waits
# 100 (1 - 1/16); an effort e of two others is at least k with probability (8 - k)^2 / 49.
MINIMUM = [sum(((8 - k) / 7) ** 2 for k in range(1, effort + 1)) for effort in range(1, 8)]
EARNED = [0.6 + 0.2 * low - 0.1 * effort for effort, low in enumerate(MINIMUM, start=1)]
UNIFORM_GAPS = {
    "minimum-effort": max(EARNED) - np.mean(EARNED),
    "money-request": 21 - 17.3,
    "volunteer": (93.75 - 50) / 2,
}


@pytest.mark.parametrize("file", FILES[1:], ids=lambda file: file.stem)
def test_files_of_the_configuration_are_not_trivial(file):
    game = import_gambit(file)
    gap = cce_gap(game, uniform_policy(game)).gap
    assert gap > 0.05
    assert game.metadata["reward_scale"] * gap == pytest.approx(UNIFORM_GAPS[file.stem])
    assert lowest_gap(own_payoffs(game)) <= 1e-9


def test_players_of_the_configuration_are_alike():
    """Swapping two players swaps their payoffs: a cell typed wrongly would show."""
    for file in FILES[1:]:
        payoffs = own_payoffs(import_gambit(file))
        for player in range(1, len(payoffs)):
            swapped = payoffs.swapaxes(1, player + 1)
            np.testing.assert_allclose(swapped[player], payoffs[0], atol=1e-12)
