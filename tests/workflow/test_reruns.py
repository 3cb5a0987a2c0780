"""What is run again after a change: all that depends on it, and nothing else."""

from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch

import pytest

RUNS = "results/tiny/runs"
Q_FTRL = f"{RUNS}/*/q-ftrl.parquet"
EVB_SIM = f"{RUNS}/*/evb-sim.parquet"
GAMES = "results/tiny/games/*"
TABLES = "build/tiny/figures/tables"
FIGURES = "build/tiny/figures/*"
PAPER = "build/tiny/paper/ccerates.pdf"


def nothing(workflow):
    """Change what no result depends on."""
    (workflow.folder / "README.md").write_text("A comment.\n")
    for path in sorted(workflow.folder.glob("src/**/*.py")):
        path.touch()  # as a fresh checkout does


def lose_a_run(workflow):
    (workflow.folder / RUNS / "sim-horizon/horizon-4/evb-sim.parquet").unlink()


def lose_a_table(workflow):
    (workflow.folder / TABLES / "real-games.tex").unlink()


def edit_kernel(workflow):
    with (workflow.folder / "src/ccerates/simulator/evb_sim_kernel.py").open("a") as file:
        file.write("# An edit.\n")


def edit_figure(workflow):
    with (workflow.folder / "src/ccerates/plots/sim_horizon.py").open("a") as file:
        file.write("# An edit.\n")


def edit_family(workflow):
    with (workflow.folder / "src/ccerates/games/families/survival.py").open("a") as file:
        file.write("# An edit.\n")


def change_option(workflow):
    workflow.edit("tiny.yaml", "q-ftrl:\n    constants: practical", "q-ftrl:\n    failure: 0.1")


def change_budgets(workflow):
    workflow.edit("tiny.yaml", "evb-sim:\n      - 0.1\n", "evb-sim:\n      - 0.15\n")


CHANGES = (
    nothing,
    lose_a_run,
    lose_a_table,
    edit_kernel,
    edit_figure,
    edit_family,
    change_option,
    change_budgets,
)


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
    folder = tmp_path_factory.mktemp("changes")

    def plan(change):
        workflow = finished.copy(folder / change.__name__)
        change(workflow)
        run = workflow.snakemake("--summary")
        assert run.returncode == 0, run.stderr
        return Plan(run.stdout)

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(CHANGES, pool.map(plan, CHANGES), strict=True))


def test_second_run_has_nothing_to_do(plans):
    assert plans[nothing].pending == set()


def test_lost_run_is_made_again_with_what_depends_on_it(plans):
    plan = plans[lose_a_run]
    runs = {path for path in plan.pending if path.startswith(RUNS)}
    assert runs == {f"{RUNS}/sim-horizon/horizon-4/evb-sim.parquet"}
    assert plan.again("build/tiny/figures/sim-horizon.*", f"{TABLES}/exponents.*", PAPER)
    assert plan.stays(GAMES, "build/tiny/figures/real-games.*", f"{TABLES}/real-games.*")


def test_lost_table_is_made_again(plans):
    plan = plans[lose_a_table]
    assert plan.again(f"{TABLES}/real-games.tex")
    assert plan.stays(GAMES, f"{RUNS}/*", "build/tiny/figures/sim-horizon.*")


def test_edited_kernel_reruns_its_learner_only(plans):
    plan = plans[edit_kernel]
    assert plan.again(EVB_SIM, FIGURES, PAPER)
    assert plan.stays(Q_FTRL, GAMES)


def test_edited_figure_is_drawn_again_and_set_into_the_paper(plans):
    plan = plans[edit_figure]
    suffixes = ("csv", "pdf", "png", "svg")
    assert plan.pending == {*(f"build/tiny/figures/sim-horizon.{s}" for s in suffixes), PAPER}


def test_edited_family_makes_its_games_again(plans):
    plan = plans[edit_family]
    assert plan.again("results/tiny/games/sim-horizon/*", f"{RUNS}/*", FIGURES, PAPER)


def test_changed_option_reruns_its_learner_only(plans):
    plan = plans[change_option]
    assert plan.again(Q_FTRL, FIGURES, PAPER)
    assert plan.stays(EVB_SIM, GAMES)


def test_changed_budgets_rerun_their_learner_only(plans):
    plan = plans[change_budgets]
    assert plan.again(f"{RUNS}/sim-horizon/*/evb-sim.parquet", f"{TABLES}/sim-horizon.*", PAPER)
    assert plan.stays(Q_FTRL, f"{RUNS}/real-games/*", GAMES)
