"""``ccerates certify`` with stored results: what learners certified from their own samples."""

import argparse
from collections.abc import Sequence
from typing import Any

from ccerates import api
from ccerates.cli.answers import exit_code
from ccerates.cli.output import shown, write, write_json, write_table
from ccerates.errors import InputError
from ccerates.games.store import load_game
from ccerates.online.result import OnlineResult


def run(arguments: argparse.Namespace) -> int:
    """Print the certificates, and the answers if an epsilon is given."""
    if arguments.result.endswith((".npy", ".parquet")):
        raise InputError(f"{arguments.result}: is a policy; --simulator says of which game")
    results = api.load_results(arguments.result)
    game = None if arguments.game is None else load_game(arguments.game)
    certificates = api.certify(results, game)
    unit = "episodes" if isinstance(results[0], OnlineResult) else "rounds"
    judgements = []
    if arguments.epsilon is not None:
        horizon = results[0].upper_value.shape[0]
        judgements = [api.judge(each, arguments.epsilon, horizon) for each in certificates]
    if arguments.json:
        described = describe_certificates(certificates, unit)
        for fields, judgement in zip(described, judgements, strict=False):
            fields["answer"], fields["basis"] = judgement.answer, judgement.basis
            fields[f"needed_{unit}"] = judgement.rounds
        write_json(described)
    else:
        constants = dict.fromkeys(result.constants for result in results)
        write(f"{results[0].algorithm} with {', '.join(constants)} constants")
        write_certificates(certificates, unit)
        for run_, judgement in enumerate(judgements):
            write(f"run {run_}: {_words(judgement, certificates[run_], arguments, unit)}")
    return exit_code([each.answer for each in judgements]) if judgements else 0


def _words(
    judgement: api.Judgement,
    certificate: api.Certificate,
    arguments: argparse.Namespace,
    unit: str,
) -> str:
    """Return an answer in words, and what to do if there is none."""
    epsilon = shown(arguments.epsilon)
    if judgement.basis == "model":
        holds = "a" if judgement.answer == "yes" else "no"
        return f"{judgement.answer}, {holds} {epsilon}-CCE, by the exact gap"
    if judgement.answer == "yes":
        return f"yes, a {epsilon}-CCE with confidence {shown(certificate.confidence)}"
    fresh = f"`ccerates certify {arguments.result} --simulator ... --epsilon {epsilon}`"
    if certificate.certificate is None or not certificate.certified:
        advice = "learn with --option constants=rigorous, where there is one"
        if unit == "rounds":
            advice += f", or ask fresh samples: {fresh}"
        return f"not yet, nothing is certified; {advice}"
    if judgement.rounds is None:
        advice = f"more {unit}, ten times as many, would tell how many are needed"
    else:
        advice = f"about {judgement.rounds:.2g} {unit} of the same learner would probably do"
    if unit == "rounds":
        advice += f"; fresh samples may take fewer: {fresh}"
    return f"not yet, the certificate is above {epsilon}; {advice}"


def describe_certificates(
    certificates: Sequence[api.Certificate], unit: str
) -> list[dict[str, Any]]:
    """Return certificates for JSON: a unit of budget is named, what was not compared left out."""
    described = []
    for each in certificates:
        fields = each._asdict()
        if each.gap is None:
            del fields["gap"], fields["slack"]
        described.append({unit if key == "rounds" else key: fields[key] for key in fields})
    return described


def write_certificates(certificates: Sequence[api.Certificate], unit: str) -> None:
    """Write a row for each run, and what the certificates are worth; a unit of budget is named."""
    compared = certificates[0].gap is not None
    titles = ["run", unit, "samples", "certificate", "confidence"]
    titles += ["gap", "slack"] if compared else []
    rows = [
        [run, each.rounds, each.samples, each.certificate, each.confidence]
        + ([each.gap, each.slack] if compared else [])
        for run, each in enumerate(certificates)
    ]
    write_table(titles, rows)
    write_worth(certificates)


def write_worth(certificates: Sequence[api.Certificate]) -> None:
    """Write what the certificates of some runs are worth."""
    total = len(certificates)
    given = [each for each in certificates if each.certificate is not None]
    certified = sum(each.certified for each in given)
    if certified:
        write(f"{certified} of {total} certified: a bound on the CCE gap, with that confidence")
    if certified < len(given):
        write(f"{len(given) - certified} of {total} estimated: these constants promise no bound")
    if len(given) < total:
        write(f"{total - len(given)} of {total} without: the learner gives no bound")
    trivial = sum(each.trivial for each in certificates)
    if trivial:
        write(f"{trivial} of {total} say nothing: no gap exceeds the horizon")
    below = sum(each.slack is not None and each.slack < 0.0 for each in certificates)
    if below:
        write(f"{below} of {total} lie below the exact gap")
