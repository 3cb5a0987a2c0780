"""How fast everything is, measured in one run: `./reproduce speed --cores 1`.

Not part of the package: nothing that computes a result imports it.
"""
