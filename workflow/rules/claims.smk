# The claims, each a target of its own: `snakemake --cores N sim_horizon`.
#
# Snakemake makes a lost file again only if it is asked for, and figures are under version control:
# so a claim asks for its runs and tables too.


rule sim_horizon:
    input:
        run_files("sim-horizon"),
        expand(rules.sweep.output, experiment="sim-horizon"),
        rules.figure_sim_horizon.output,


rule exponents:
    input:
        run_files(*SWEEPS),
        expand(rules.sweep.output, experiment=SWEEPS),
        rules.collect_exponents.output,
        rules.figure_exponents.output,


rule real_games:
    input:
        run_files(REAL_GAMES),
        rules.real_game_gaps.output,
        rules.figure_real_games.output,


rule verified:
    input:
        rules.sim_horizon.input,
        rules.exponents.input,
        rules.real_games.input,
        rules.verify.output,
        rules.check_verdicts.output,
