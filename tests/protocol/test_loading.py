"""A learner's file is loaded, or one line says what is wrong in it and where."""

import pytest

from ccerates.errors import InputError
from ccerates.protocol import load_learner


def complaint(path, options=None):
    with pytest.raises(InputError) as caught:
        load_learner(path, options)
    assert str(caught.value).startswith(str(path))
    return str(caught.value).removeprefix(str(path)).removeprefix(": ")


def test_the_attribute_averaging_makes_a_learner_an_online_one(write):
    online = load_learner(write(), {"bonus": 2})
    assert (online.setting, online.averaging, online.name) == ("online", "alpha", "mine.py")
    assert online.options == {"bonus": 2}
    stage = load_learner(write(('"alpha"', '"stage"')))
    assert (stage.setting, stage.averaging) == ("online", "stage")
    simulator = load_learner(write(('averaging = "alpha"', ""), ("episodes", "rounds")))
    assert (simulator.setting, simulator.averaging) == ("simulator", None)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("class Learner", "class Mine", "defines no class Learner; name the learner's class so"),
        ("class Learner:", "Learner = 3\nclass Mine:", "defines no class Learner"),
        ("def act", "def play", "class Learner has no method act; add it"),
        ("def update", "def tell", "class Learner has no method update; add it"),
        ('"alpha"', '"beta"', 'averaging is \'beta\'; write "alpha" or "stage"'),
        ('"alpha"', "True", "averaging is True; write"),
        ('"alpha"', "['alpha']", "averaging is ['alpha']; write"),
        ('"alpha"', "__import__('numpy').ones(2)", "averaging is array([1., 1.]); write"),
        ("episodes", "rounds", "Learner takes no argument 'episodes'; online learners are"),
        (
            'averaging = "alpha"',
            "",
            "Learner takes 'episodes' but has no attribute averaging; for an",
        ),
        ("num_states, ", "", "Learner takes no argument 'num_states'"),
        ("bonus=1.0", "bonus", "option 'bonus' is missing; add it"),
        (
            "class",
            "clas",
            ", line 2: `clas Learner:`: SyntaxError: invalid syntax (running the file)",
        ),
        ("class Learner:", "1 / 0\n\nclass Learner:", ", line 2, in <module>: `1 / 0`: ZeroDiv"),
        ("class Learner:", "raise SystemExit\n\nclass Learner:", ", line 2, in <module>: `raise S"),
        ("class Learner:", "import nothing_like_this\n\nclass Learner:", ", line 2, in <module>"),
    ],
)
def test_faults_of_a_file_are_named(write, old, new, message):
    assert complaint(write((old, new))).startswith(message)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bonsu": 1}, "unknown option 'bonsu'; did you mean 'bonus'?"),
        ({"episodes": 5}, "episodes comes from the driver; it is no option"),
    ],
)
def test_wrong_options_are_named(write, options, message):
    assert complaint(write(), options) == message


def test_a_class_whose_arguments_nobody_knows(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "class Learner(dict):\n    def act(self, step, state): ...\n"
        "    def update(self, step, state, actions, rewards, next_state): ...\n"
    )
    assert complaint(path).startswith("no arguments of Learner can be found; give it a method")
    assert complaint(path).endswith("takes num_actions, num_states, horizon, rounds")


def test_modules_beside_the_file_are_refused_with_the_reason(write, tmp_path):
    (tmp_path / "my_tools.py").write_text("")
    text = complaint(write(("class Learner:", "import my_tools\n\nclass Learner:")))
    assert text.endswith(
        "No module named 'my_tools' (running the file); a learner is one file, which does not see "
        "my_tools.py beside it: move what it needs from there into it"
    )
    (tmp_path / "my_package").mkdir()
    text = complaint(write(("class Learner:", "import my_package.x\n\nclass Learner:")))
    assert "does not see my_package beside it" in text
    text = complaint(write(("class Learner:", "import my_other\n\nclass Learner:")))
    assert "one file" not in text


def test_a_class_without_options_says_so(write):
    path = write((", bonus=1.0", ""))
    assert complaint(path, {"bonus": 1}) == "unknown option 'bonus'; Learner has no options"


def test_a_class_may_collect_arguments(write):
    path = write(("num_actions, num_states, horizon, episodes, bonus=1.0", "num_actions, **others"))
    assert load_learner(path, {"anything": 3}).options == {"anything": 3}


def test_files_that_are_none(tmp_path):
    assert complaint(tmp_path / "none.py").startswith("No such file or directory, seen from ")
    (tmp_path / "folder.py").mkdir()
    assert complaint(tmp_path / "folder.py").startswith("Is a directory")
    (tmp_path / "mine.txt").write_text("")
    assert complaint(tmp_path / "mine.txt") == "the name of a learner's file must end in .py"


def test_an_edit_counts_at_once(write):
    assert load_learner(write()).averaging == "alpha"
    assert load_learner(write(('"alpha"', '"stage"'))).averaging == "stage"


def test_dataclasses_can_be_learners(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n\n"
        "@dataclass\nclass Learner:\n"
        "    num_actions: tuple[int, ...]\n    num_states: int\n    horizon: int\n    rounds: int\n"
        "    def act(self, step, state): ...\n"
        "    def update(self, step, state, actions, rewards, next_state): ...\n"
    )
    assert load_learner(path).construct((2, 3), 4, 5, 6).rounds == 6
