# The claims, each a target of its own: `snakemake --cores N sim_horizon`.
#
# Snakemake makes a lost file again only if it is asked for, and figures are under version control:
# so a claim asks for its runs and tables too.


rule sim_horizon:
    input:
        sweep_claim("sim-horizon"),


rule sim_players:
    input:
        sweep_claim("sim-players", "sim-action-sum"),


rule sim_actions:
    input:
        sweep_claim("sim-actions"),


rule sim_states:
    input:
        sweep_claim("sim-states"),


rule sim_epsilon:
    input:
        sweep_claim("sim-epsilon"),


rule online_horizon:
    input:
        sweep_claim("online-horizon"),


rule online_players:
    input:
        sweep_claim("online-players"),


rule online_actions:
    input:
        sweep_claim("online-actions"),


rule online_states:
    input:
        sweep_claim("online-states"),


rule online_epsilon:
    input:
        sweep_claim("online-epsilon"),


rule exponents:
    input:
        run_files(*SWEEPS),
        expand(rules.sweep.output, experiment=SWEEPS),
        rules.collect_exponents.output,
        rules.relative_exponents.output,
        rules.figure_exponents.output,


rule gap_decay:
    input:
        run_files("gap-decay"),
        expand(rules.curves.output, experiment="gap-decay"),
        rules.figure_gap_decay.output,


rule ablation:
    input:
        run_files("ablation"),
        expand(rules.curves.output, experiment="ablation"),
        rules.figure_ablation.output,


rule real_games:
    input:
        run_files(REAL_GAMES),
        rules.real_game_gaps.output,
        rules.figure_real_games.output,


rule bandit:
    input:
        BANDIT_FILES,
        rules.bandit_table.output,
        rules.figure_bandit.output,


rule certificate:
    input:
        run_files(CERTIFICATE, COVERAGE),
        rules.certificate_table.output,
        rules.figure_certificate.output,


rule lower_bound:
    input:
        LOWER_BOUND_RUNS,
        rules.lower_bound_tables.output,
        rules.figure_lower_bound.output,


rule bounds:
    input:
        run_files(*CHECKED, pattern=f"{RESULTS}/runs/{{}}/{{}}/{{}}.npz"),
        rules.collect_exponents.output,
        rules.lower_bound_tables.output,
        rules.bounds_table.output,
        rules.check_bounds.output,


rule tuned:
    input:
        run_files(TUNING),
        rules.tuning.output,


rule verified:
    input:
        rules.sim_horizon.input,
        rules.sim_players.input,
        rules.sim_actions.input,
        rules.sim_states.input,
        rules.sim_epsilon.input,
        rules.online_horizon.input,
        rules.online_players.input,
        rules.online_actions.input,
        rules.online_states.input,
        rules.online_epsilon.input,
        rules.exponents.input,
        rules.gap_decay.input,
        rules.ablation.input,
        rules.real_games.input,
        rules.bandit.input,
        rules.certificate.input,
        rules.lower_bound.input,
        rules.bounds.input,
        rules.tuned.input,
        rules.verify.output,
        rules.check_verdicts.output,


rule artifact:
    input:
        rules.verified.input,
        rules.cost.output,
        rules.paper_numbers.output,
        rules.paper.output,


rule pages:
    input:
        rules.report.output,
        rules.notebooks.input,
        rules.docs.output,
