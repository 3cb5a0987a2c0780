"""What is run again after a change: all that depends on it, and nothing else."""

import subprocess
import sys
from fnmatch import fnmatch

import pytest

RUNS = "results/tiny/runs"
Q_FTRL = f"{RUNS}/*/q-ftrl.parquet"
EVB_SIM = f"{RUNS}/*/evb-sim.parquet"
EVB_ONLINE = f"{RUNS}/*/evb-online.parquet"
V_LEARNING = f"{RUNS}/*/v-learning.parquet"
OWN = f"{RUNS}/*/exp3.parquet"
GAMES = "results/tiny/games/*"
TABLES = "build/tiny/figures/tables"
BANDITS = "results/tiny/bandits/*"
PAPER, REPORT = "build/tiny/paper/ccerates.pdf", "build/tiny/report.html"


def nothing(workflow):
    """Change what no result depends on."""
    (workflow.folder / "README.md").write_text("A comment.\n")
    for path in sorted(workflow.folder.glob("src/**/*.py")):
        path.touch()  # as a fresh checkout does


def lose_files(workflow):
    (workflow.folder / RUNS / "sim-horizon/horizon-4/evb-sim.parquet").unlink()
    (workflow.folder / TABLES / "real-games.tex").unlink()


def edit_kernel(workflow):
    with (workflow.folder / "src/ccerates/simulator/evb_sim_kernel.py").open("a") as file:
        file.write("# An edit.\n")


def edit_online_kernel(workflow):
    with (workflow.folder / "src/ccerates/online/evb_online.py").open("a") as file:
        file.write("# An edit.\n")


def edit_own_learner(workflow):
    with (workflow.folder / "examples/exp3.py").open("a") as file:
        file.write("# An edit.\n")


def edit_figure(workflow):
    with (workflow.folder / "src/ccerates/plots/exponents.py").open("a") as file:
        file.write("# An edit.\n")


def change_option(workflow):
    workflow.edit("tiny.yaml", "rate_scale: 16", "rate_scale: 8")


def change_budgets(workflow):
    # Where it stands beside q-ftrl: elsewhere budgets are shared by many experiments.
    before = "      - 0.05\n      evb-sim:\n      - 0.0"
    workflow.edit("tiny.yaml", f"{before}25\n", f"{before}3\n")


def change_game(workflow):
    workflow.edit("tiny.yaml", "eps_game: 0.25", "eps_game: 0.24")


CHANGES = (
    nothing, lose_files, edit_kernel, edit_online_kernel, edit_own_learner, edit_figure,
    change_option, change_budgets, change_game,
)  # fmt: skip

# One process imports all that Snakemake and the workflow need, and forks for each folder.
PLANNER = """
import os, sys
import grimp, jsonschema, snakemake.cli, snakemake.report, snakemake.workflow
import ccerates.config, ccerates.experiments.plan, ccerates.experiments.bandits

for folder in sys.argv[1:]:
    if os.fork() == 0:
        os.chdir(folder)
        os.dup2(os.open("plan", os.O_WRONLY | os.O_CREAT), 1)
        snakemake.cli.main(["artifact", "report", "--configfile", "tiny.yaml", "--summary"])
    if os.wait()[1] != 0:
        sys.exit(f"no plan in {folder}")
"""


class Plan:
    """Output files by whether they would be made again."""

    def __init__(self, summary):
        rows = [line.split("\t") for line in summary.splitlines()[1:]]
        self.pending = {row[0] for row in rows if row[-1] == "update pending"}
        self.kept = {row[0] for row in rows if row[-1] == "no update"}
        assert len(self.pending) + len(self.kept) == len(rows) > 30

    def again(self, *patterns):
        """Return whether all files that match are made again."""
        return self._all_in(self.pending, self.kept, patterns)

    def stays(self, *patterns):
        return self._all_in(self.kept, self.pending, patterns)

    @staticmethod
    def _all_in(here, there, patterns):
        for pattern in patterns:
            assert any(fnmatch(path, pattern) for path in here | there), f"no file {pattern}"
        return not any(fnmatch(path, pattern) for path in there for pattern in patterns)


@pytest.fixture(scope="module")
def plans(finished, tmp_path_factory):
    """Plans of Snakemake after each change, made in copies of the finished folder."""
    parent = tmp_path_factory.mktemp("changes")
    folders = {change: parent / change.__name__ for change in CHANGES}
    for change, folder in folders.items():
        change(finished.copy(folder))
    planner = [sys.executable, "-c", PLANNER, *map(str, folders.values())]
    run = subprocess.run(planner, capture_output=True, check=False, text=True)
    assert run.returncode == 0, run.stderr
    return {change: Plan((folder / "plan").read_text()) for change, folder in folders.items()}


def test_second_run_has_nothing_to_do(plans):
    assert plans[nothing].pending == set()


def test_lost_files_are_made_again_with_what_depends_on_them(plans):
    plan = plans[lose_files]
    runs = {path for path in plan.pending if path.startswith(RUNS)}
    assert runs == {f"{RUNS}/sim-horizon/horizon-4/evb-sim.{end}" for end in ("npz", "parquet")}
    assert plan.again(f"{TABLES}/sim-horizon.*", f"{TABLES}/real-games.tex", PAPER)
    assert plan.again("build/tiny/figures/sim-horizon.*", "results/tiny/checks/sim-horizon.parquet")
    assert plan.stays(GAMES, "results/tiny/checks/ablation.parquet", f"{TABLES}/ablation.*")


def test_edited_kernel_reruns_its_learner_only(plans):
    plan = plans[edit_kernel]
    assert plan.again(EVB_SIM, "build/tiny/figures/sim-*", f"{TABLES}/bounds.csv", PAPER)
    assert plan.stays(Q_FTRL, GAMES, BANDITS, "build/tiny/figures/bandit.*")


def test_edited_figure_is_drawn_again_and_set_into_the_paper_and_the_page(plans):
    plan = plans[edit_figure]
    suffixes = ("csv", "pdf", "png", "svg")
    figure = {f"build/tiny/figures/exponents.{suffix}" for suffix in suffixes}
    assert plan.pending == {*figure, PAPER, REPORT}


def test_edited_online_kernel_reruns_the_runs_of_its_learner_only(plans):
    plan = plans[edit_online_kernel]
    assert plan.again(EVB_ONLINE, f"{RUNS}/audit/*/evb-online-rigorous.*", PAPER)
    assert plan.stays(V_LEARNING, OWN, Q_FTRL, EVB_SIM, GAMES, BANDITS)


def test_edited_learner_of_ones_own_reruns_its_runs_only(plans):
    plan = plans[edit_own_learner]
    runs = {path for path in plan.pending if path.startswith(RUNS)}
    places = ("online-horizon/horizon-4", "online-horizon/horizon-6", "real-games/pathfinding")
    assert runs == {f"{RUNS}/{place}/exp3.{end}" for place in places for end in ("npz", "parquet")}
    assert plan.again(f"{TABLES}/online-horizon.csv", f"{TABLES}/exponents.csv", PAPER)
    assert plan.stays(EVB_ONLINE, GAMES, f"{TABLES}/online-states.csv")


def test_changed_option_reruns_its_learner_only(plans):
    plan = plans[change_option]
    assert plan.again(Q_FTRL, "build/tiny/figures/sim-horizon.*", PAPER)
    assert plan.stays(EVB_SIM, GAMES)


def test_changed_budgets_rerun_their_learner_only(plans):
    plan = plans[change_budgets]
    assert plan.again(f"{RUNS}/sim-horizon/*/evb-sim.parquet", f"{TABLES}/sim-horizon.*", PAPER)
    assert plan.stays(Q_FTRL, f"{RUNS}/real-games/*", GAMES)
    assert plan.stays("build/tiny/figures/real-games.*", f"{TABLES}/real-games.*")


def test_changed_game_makes_its_games_and_runs_again(plans):
    plan = plans[change_game]
    assert plan.again("results/tiny/games/sim-horizon/*", f"{RUNS}/sim-horizon/*", PAPER)
    assert plan.stays("results/tiny/games/real-games/*", f"{RUNS}/real-games/*")
