from benchmarks.timing import Task, measure


def test_tasks_run_in_turn_after_a_first_run_that_does_not_count(capsys):
    done = []
    tasks = [
        Task("first", 1, lambda: done.append("first")),
        Task("second", 1, lambda: done.append("second"), warms_up=False),
    ]
    timings = measure(tasks, "title", repetitions=2)
    assert done == ["first", "first", "second", "first", "second"]
    assert all(0 <= timing.least <= timing.median <= timing.most for timing in timings)
    assert "title" in capsys.readouterr().err  # progress
