"""Small tables as the pipeline would write them, in which every number can be told apart."""

SAMPLES_HEAD = (
    "experiment,setting,algorithm,axis,value,samples_to_target,ci_low,ci_high,status,target,"
    "uniform_gap,replicates,fitted\n"
)
GAPS_HEAD = "game,players,states,horizon,algorithm,samples,gap_kind,gap_mean,ci_low,ci_high"
TABLES = {
    "sim-horizon": SAMPLES_HEAD
    + """\
sim-horizon,simulator,q-ftrl,horizon,8,31415926.5,29999999,33333333,measured,0.1,0.4321,3,True
sim-horizon,simulator,q-ftrl,horizon,16,,,,censored,0.1,0.5,3,False
sim-horizon,simulator,evb-sim,horizon,8,,,,below-grid,0.1,0.4321,3,False
sim-horizon,simulator,evb-sim,horizon,16,27182.8,26000,,measured,0.1,0.5,3,True
""",
    "sim-players": SAMPLES_HEAD
    + """\
sim-players,simulator,q-ftrl,players,1,2000,1900,2100,measured,0.1,0.5,3,True
sim-players,simulator,q-ftrl,players,6,36600,36000,37000,measured,0.1,0.6,3,True
sim-players,simulator,evb-sim,players,1,1000,900,1100,measured,0.1,0.5,3,True
sim-players,simulator,evb-sim,players,6,2000,1900,2100,measured,0.1,0.6,3,True
""",
    "sim-action-sum": SAMPLES_HEAD
    + """\
sim-action-sum,simulator,evb-sim,action-sum,18,1618,1600,1700,measured,0.1,0.5,3,True
sim-action-sum,simulator,evb-sim,action-sum,32,,,,invalid,0.1,0.15,3,False
""",
    "sim-actions": SAMPLES_HEAD,
    "sim-states": SAMPLES_HEAD,
    "sim-epsilon": SAMPLES_HEAD
    + """\
sim-epsilon,simulator,evb-sim,epsilon,0.0625,577215,570000,580000,measured,0.02,0.15,3,True
""",
    "exponents": """\
setting,algorithm,axis,theory,measured,ci_low,ci_high,local_slope,points,fit_low,fit_high,verdict
simulator,q-ftrl,horizon,4,4.444,4.222,4.666,4.5,2,8,16,inconclusive
simulator,evb-sim,horizon,4,,,,,1,8,16,not fitted
simulator,q-ftrl,players,1,1.111,1.011,1.211,1.1,2,1,6,within bound
simulator,evb-sim,players,0,0.123,0.023,0.223,0.1,2,1,6,consistent
simulator,evb-sim,epsilon,-2,-2.05,-2.15,-1.95,-2.1,3,0.0625,0.5,confirmed
""",
    "exponent-differences": """\
setting,axis,baseline,algorithm,difference,ci_low,ci_high
simulator,horizon,q-ftrl,evb-sim,-0.777,-0.888,-0.666
simulator,players,q-ftrl,evb-sim,0.988,0.888,1.088
""",
    "ablation": """\
game,algorithm,samples,gap_mean,gap_median,gap_quartile_low,gap_quartile_high,uniform_gap,replicates
survival,evb-sim,2048,0.9,0.9,0.8,1.0,0.5,3
survival,evb-sim,4096,0.02,0.02,0.01,0.03,0.5,3
survival,evb-sim-no-centre,4096,0.05,0.05,0.04,0.06,0.5,3
""",
    "tuning": """\
algorithm,rate_scale,bonus_scale,samples_to_target,ci_low,ci_high,status,chosen,used
q-ftrl,0.25,1,,,,censored,False,False
q-ftrl,16,1,123456,120000,130000,measured,True,True
q-ftrl,16,3,98765,90000,99000,measured,False,False
evb-sim,1,1,4444,4000,5000,measured,True,False
evb-sim,4,1,5555,5000,6000,measured,False,True
""",
    "bounds": """\
check,algorithm,kind,runs,violations,allowed,worst_slack,verdict
C1 pathwise inequality,evb-rigorous,deterministic,999,0,0,0.00123,pass
C1 pathwise inequality,evb-practical,deterministic,999,1,0,-0.5,fail
C2 deviation lemma,exp3-ix,confidence,999,2,31,1.5,pass
C3 regret bound,evb-practical,informative,999,66,any,-13410,informative
""",
    "bandit": """\
bandit,constants,adversary,num_actions,rounds,runs,played_variance,regret_median,regret_95,regret_99,bound_median,bound_violations,analytic_median,analytic_violations,certificate_median,certificate_violations
evb-rigorous,rigorous,stochastic,4,500,333,111.1,21.1,31.4,41.1,25617.25,0,51234.5,0,55555,0
evb-practical,practical,stochastic,4,500,333,112.1,1.26,2.71,3.1,30.9,3,61.8,1,55555,0
exp3-ix,published,stochastic,4,500,333,113.1,71.1,81.4,91.1,,,,,66666,2
exp3-ix,published,stochastic-0-3,4,500,333,117.1,73.3,83.4,93.1,,,,,66666,0
evb-rigorous,rigorous,switching,4,500,333,114.1,22.2,32.4,42.1,26172.8,0,52345.6,0,55555,0
evb-practical,practical,switching,4,500,333,115.1,133,13410,14142,66.65,231,133.3,77,55555,0
exp3-ix,published,switching,4,500,333,116.1,72.2,82.4,92.1,,,,,66666,1
""",
    "verify": """\
claim,quantity,expected,got,tolerance,comparator,verdict
sim-horizon,a,1,1,0,exact,pass
sim-horizon,b,1,2,0,exact,fail
""",
}
GAPS = (
    GAPS_HEAD
    + """,uniform_gap
pathfinding-9x9,2,99,12,evb-sim,200000,exact,0.031337,0.03,0.032,0.4567
pathfinding-9x9,2,99,12,evb-sim,100000,exact,0.9,0.8,1.0,0.4567
pathfinding-9x9,2,99,12,q-ftrl,200000,exact,0.0111,0.01,0.012,0.4567
"""
)
SURVIVAL = {"family": "survival", "num_players": 2, "horizon": 8, "alive_states": 2}
SETUP = {
    "replicates": 4321,
    "resamples": 8765,
    "q_ftrl_c_a": 2.5,
    "q_ftrl_c_b": 0.0123,
    "learners": {
        "q-ftrl": {"rate_scale": 16.25, "bonus_scale": 1},
        "evb-sim": {"rate_scale": 1.75, "bonus_scale": 0.35},
    },
    "sweeps": {
        "sim-horizon": {
            "axis": "horizon",
            "values": [8, 16],
            "fit": [8, 16],
            "game": {"family": "survival", "num_players": 2, "eps_game": 0.567},
            "target_fraction": 0.25,
        },
        "sim-action-sum": {
            "axis": "action-sum",
            "game": {"family": "survival", "num_players": 2, "num_actions": 19},
        },
        "sim-players": {
            "axis": "players",
            "values": [1, 6],
            "fit": [1, 6],
            "replicates": 777,
            "game": {"family": "survival", "horizon": 17},
            "target_fraction": 0.125,
        },
    },
    "tuning": {
        "replicates": 55,
        "game": {**SURVIVAL, "eps_game": 0.5},
        "rate_scales": [0.25, 16],
        "bonus_scales": [1, 3],
    },
    "bandits": {
        "adversaries": {"stochastic-0-3": {"adversary": "stochastic", "noise": 0.3}},
        "rounds": 54321, "runs": 333, "num_actions": 5, "gain_bound": 1.5, "failure": 0.06
    },
}  # fmt: skip

FIGURES = (
    "sim-horizon", "sim-players", "sim-actions", "sim-states", "sim-epsilon", "exponents",
    "gap-decay", "real-games", "ablation", "bandit",
)  # fmt: skip
