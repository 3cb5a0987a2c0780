"""``ccerates certify --simulator``: the CCE gap of a policy, bounded by fresh samples."""

import argparse
import sys

from ccerates import api
from ccerates.cli.answers import CODES
from ccerates.cli.output import shown, write, write_json, write_table
from ccerates.cli.simulators import load_game_or_simulator
from ccerates.cli.values import read_settings

_SAMPLES, _DELTA = 100_000, 0.05


def run(arguments: argparse.Namespace) -> int:
    """Draw samples and print the answer; after Ctrl-C what is known by then."""
    policy = api.load_policy(arguments.result, arguments.replicate)
    options = read_settings("--option", arguments.option or [])
    simulator = load_game_or_simulator(arguments.simulator, options)
    looks: list[api.PolicyCertificate] = []
    try:
        found = api.certify_policy(
            simulator,
            policy,
            epsilon=arguments.epsilon,
            failure=_DELTA if arguments.delta is None else arguments.delta,
            samples=_SAMPLES if arguments.samples is None else arguments.samples,
            seed=arguments.seed or 0,
            report=looks.append,
        )
    except KeyboardInterrupt:
        if looks:
            sys.stderr.write(f"\nso far: {_answer(looks[-1])}")
        raise
    if arguments.json:
        write_json(found)
    else:
        _write(found)
    return CODES[found.answer]


def _write(found: api.PolicyCertificate) -> None:
    write(_answer(found))
    rows = [
        [player, each.lower, each.estimate, each.upper, _largest(each.largest)]
        for player, each in enumerate(found.players)
    ]
    write_table(["player", "gains at least", "about", "at most", "most of it"], rows)
    if not found.from_start:
        write("from the worst state, since the simulator has no attribute start")
    speed = found.samples / found.seconds
    write(f"{found.samples} samples, {found.seconds:.1f} s, {speed:.2g} a second")
    if found.forecast is not None:
        more, drawn = found.forecast.samples, found.forecast.drawn
        part = f", of which {drawn:.2g} are drawn" if drawn < more else ""
        far = "" if found.forecast.feasible else ", more than fit into memory"
        write(
            f"more samples will probably answer {found.forecast.answer}: --samples {more:.3g}"
            f"{part}, in some {drawn / speed:.2g} s{far}"
        )
    elif found.answer == "not yet":
        write("the gap is so close to epsilon that more samples will hardly tell; change epsilon")


def _answer(found: api.PolicyCertificate) -> str:
    epsilon, confidence = shown(found.epsilon), shown(found.confidence)
    meaning = {
        "yes": f"YES, a {epsilon}-CCE",
        "no": f"NO, not a {epsilon}-CCE",
        "not yet": "NOT YET",
    }[found.answer]
    return (
        f"{meaning}: the CCE gap is in [{found.lower:.4g}, {found.upper:.4g}] with confidence "
        f"{confidence}"
    )


def _largest(place: api.Deviation | None) -> str:
    if place is None:
        return "nothing gains"
    there = f"action {place.action} at step {place.step}, state {place.state}"
    often = (
        "" if place.probability > 0.995 else f" (there with probability {place.probability:.2g})"
    )
    return f"{place.gain:.2g}: {there}{often}"
