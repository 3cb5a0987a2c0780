# Regenerates every table, figure and the paper: snakemake --cores N


# Snakemake would merge two files, key by key: a config stands alone.
if not workflow.configfiles:

    configfile: "config/paper.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/games.smk"
include: "workflow/rules/learners.smk"
include: "workflow/rules/bandits.smk"
include: "workflow/rules/lower_bound.smk"
include: "workflow/rules/bounds.smk"
include: "workflow/rules/analysis.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/paper.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/notebooks.smk"
include: "workflow/rules/docs.smk"
include: "workflow/rules/speed.smk"
include: "workflow/rules/claims.smk"


# Snakemake limits how many jobs may start in a second. For that it looks at all files of waiting jobs,
# once a second for every job that has ended: half a core. Without a limit it looks when a job ends.
onstart:
    workflow.scheduler.job_rate_limiter = None


rule all:
    default_target: True
    input:
        rules.artifact.input,
        rules.pages.input,
