"""What the notebooks in ``notebooks/`` need beside the package: results, display, execution.

`results` finds what the pipeline made, `display` shows figures and tables. Both are for the
notebooks themselves. `stored` says how notebooks are kept under version control, `execution` runs
them and `page` makes HTML of them: these are for the pipeline.
"""
