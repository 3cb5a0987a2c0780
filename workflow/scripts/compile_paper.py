"""Compile the paper with the tables and figures of one config.

The same inputs give the same bytes: fixed time stamp, fonts that ship with Typst only.
"""

from ccerates.script import logged

with logged(snakemake.log[0]):
    import os
    from datetime import UTC, datetime
    from pathlib import Path

    import typst

    pdf = typst.compile(
        snakemake.input.main,
        root=Path.cwd(),
        ignore_system_fonts=True,
        sys_inputs=dict(snakemake.params.sys_inputs),
        pdf_standards="a-2b",
        timestamp=datetime(2026, 1, 1, tzinfo=UTC),
    )
    output = Path(snakemake.output[0])
    output.parent.mkdir(parents=True, exist_ok=True)
    part = output.with_name(output.name + ".part")
    part.write_bytes(pdf)
    os.replace(part, output)
