"""What a run leaves."""

from pathlib import Path


def contents(folder: Path) -> dict[str, bytes]:
    """Return all results and tables in a folder by their names, without logs and times."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for top in ("results", "build")
        for path in (folder / top).rglob("*")
        if path.is_file() and not {"logs", "benchmarks"} & set(path.parts)
    }
