"""``python -m ccerates`` is the command line ``ccerates``."""

from ccerates.cli.main import run

if __name__ == "__main__":
    run()
