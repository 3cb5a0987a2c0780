# How fast everything is on this machine. Runs on request only, without any other job beside it;
# what it writes depends on the machine, and a person commits it.


rule speed:
    log:
        f"{RESULTS}/logs/speed.log",
    conda:
        "../../environment.yml"
    # All that there are, whatever their number.
    threads: 4096
    params:
        output=f"{PREFIX}benchmarks",
        share=0.002 if NAME == "smoke" else 1.0,
        repetitions=1 if NAME == "smoke" else 5,
    message:
        "Measuring speed, in some ten minutes: {params.output}/speed.csv, scale.csv and speed.pdf"
    shell:
        "python -m benchmarks.speed --output {params.output} --share {params.share}"
        " --repetitions {params.repetitions} 2>&1 | tee {log}"
