# Regenerates every table, figure and the paper: snakemake --cores N


# Snakemake would merge two files, key by key: a config stands alone.
if not workflow.configfiles:

    configfile: "config/paper.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/games.smk"
include: "workflow/rules/simulator.smk"
include: "workflow/rules/analysis.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/paper.smk"


# Snakemake makes a lost file again only if it is asked for: so ask for more than the last ones.
rule all:
    default_target: True
    input:
        rules.cost.input.runs,
        expand(rules.sweep.output, experiment=SWEEPS),
        rules.exponents.output,
        rules.real_games.output,
        rules.figure_sim_horizon.output,
        rules.figure_exponents.output,
        rules.figure_real_games.output,
        rules.cost.output,
        rules.verify.output,
        rules.check_verdicts.output,
        rules.paper_numbers.output,
        rules.paper.output,
