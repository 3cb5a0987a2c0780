"""Figures: tables in, a matplotlib figure and the table of everything drawn in it out.

Every module makes one figure with one pure function. Nothing is estimated here: means,
intervals and slopes come from `ccerates.analysis`.
"""
