"""One static page for a configuration: every claim with its figure, tables, verdict and cost.

`collect` reads what the pipeline made, `render` turns it into HTML.
"""
