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
    "online-horizon": SAMPLES_HEAD
    + """\
online-horizon,online,v-learning,horizon,6,45000000,44000000,46000000,measured,0.3,0.7654,3,True
online-horizon,online,v-learning,horizon,12,,,,censored,0.3,0.7777,3,True
online-horizon,online,cce-v-learning,horizon,6,30000000,29000000,31000000,measured,0.3,0.7654,3,True
online-horizon,online,cce-v-learning,horizon,12,2.4e9,2.3e9,2.5e9,measured,0.3,0.7777,3,True
online-horizon,online,stage-v-learning,horizon,6,20000000,19000000,21000000,measured,0.3,0.7654,3,True
online-horizon,online,stage-v-learning,horizon,12,8e8,7e8,9e8,measured,0.3,0.7777,3,True
online-horizon,online,evb-online,horizon,6,10000000,9000000,11000000,measured,0.3,0.7654,3,True
online-horizon,online,evb-online,horizon,12,2e8,1.9e8,2.1e8,measured,0.3,0.7777,3,True
""",
    "online-players": SAMPLES_HEAD,
    "online-actions": SAMPLES_HEAD
    + """\
online-actions,online,evb-online,actions,3,123456,120000,130000,measured,0.3,0.7,3,True
""",
    "online-states": SAMPLES_HEAD
    + """\
online-states,online,evb-online,states,8,654321,650000,660000,measured,0.3,0.71,3,True
""",
    "online-epsilon": SAMPLES_HEAD,
    "exponents": """\
setting,algorithm,axis,theory,measured,ci_low,ci_high,local_slope,points,fit_low,fit_high,verdict
simulator,q-ftrl,horizon,4,4.444,4.222,4.666,4.5,2,8,16,inconclusive
simulator,evb-sim,horizon,4,,,,,1,8,16,not fitted
simulator,q-ftrl,players,1,1.111,1.011,1.211,1.1,2,1,6,within bound
simulator,evb-sim,players,0,0.123,0.023,0.223,0.1,2,1,6,consistent
simulator,evb-sim,epsilon,-2,-2.05,-2.15,-1.95,-2.1,3,0.0625,0.5,confirmed
online,v-learning,horizon,6,,,,,1,6,12,not fitted
online,cce-v-learning,horizon,6,6.333,6.232,6.434,6.3,2,6,12,inconclusive
online,stage-v-learning,horizon,6,5.333,5.232,5.434,5.3,2,6,12,within bound
online,evb-online,horizon,5,4.321,4.222,4.422,4.3,2,6,12,within bound
online,evb-online,states,1,0.911,0.901,0.921,0.9,2,1,8,within bound
online,evb-online,actions,1,1.678,1.578,1.778,1.478,3,3,8,miss
simulator,evb-sim,actions,1,1.268,1.168,1.368,1.168,5,4,16,consistent
""",
    "exponent-differences": """\
setting,axis,baseline,algorithm,difference,ci_low,ci_high
simulator,horizon,q-ftrl,evb-sim,-0.777,-0.888,-0.666
simulator,players,q-ftrl,evb-sim,0.988,0.888,1.088
online,horizon,cce-v-learning,evb-online,2.012,1.912,2.112
online,horizon,stage-v-learning,evb-online,1.012,-0.012,2.012
""",
    "exponents-relative": """\
setting,algorithm,axis,share,measured,ci_low,ci_high,local_slope,points
online,evb-online,actions,0.456,1.321,1.291,1.351,1.311,4
online,v-learning,actions,,,,,,0
simulator,evb-sim,actions,0.182,0.987,0.887,1.087,0.917,5
""",
    "ablation": """\
game,algorithm,samples,gap_mean,gap_median,gap_quartile_low,gap_quartile_high,uniform_gap,replicates
survival,evb-sim,2048,0.9,0.9,0.8,1.0,0.5,3
survival,evb-sim,4096,0.02,0.02,0.01,0.03,0.5,3
survival,evb-sim-no-centre,4096,0.05,0.05,0.04,0.06,0.5,3
survival,evb-online,8192,0.04,0.04,0.03,0.05,0.5,3
survival,evb-online-no-bonus,8192,0.06,0.06,0.05,0.07,0.5,3
""",
    "tuning": """\
setting,algorithm,rate_scale,bonus_scale,samples_to_target,ci_low,ci_high,status,chosen,used
simulator,q-ftrl,0.25,1,,,,censored,False,False
simulator,q-ftrl,16,1,123456,120000,130000,measured,True,True
simulator,q-ftrl,16,3,98765,90000,99000,measured,False,False
simulator,evb-sim,1,1,4444,4000,5000,measured,True,False
simulator,evb-sim,4,1,5555,5000,6000,measured,False,True
online,v-learning,2,0.2,6666,6000,7000,measured,True,True
online,cce-v-learning,2,0.4,7777,7000,8000,measured,True,True
online,stage-v-learning,2,0.5,8888,8000,9000,measured,True,True
online,evb-online,2,0.7,9999,9000,10000,measured,True,True
""",
    "bounds": """\
check,algorithm,kind,runs,violations,allowed,worst_slack,verdict
C1 pathwise inequality,evb-rigorous,deterministic,999,0,0,0.00123,pass
C1 pathwise inequality,evb-practical,deterministic,999,1,0,-0.5,fail
C2 deviation lemma,exp3-ix,confidence,999,2,31,1.5,pass
C3 regret bound,evb-practical,informative,999,66,any,-13410,informative
C6 certificate,evb-sim,planted,888,887,33,-0.006,caught
C9 exponent of states,evb-online,interval,3,0,0,0.24,within bound
C9 exponent of horizon,q-ftrl,interval,3,1,0,-0.14,miss
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
    "certificate": """\
game,algorithm,constants,rounds,delta,runs,certificate_median,gap_median,violations
four-steps,q-ftrl,practical,10000,0.06,8,0.9,1e-17,0
four-steps,evb-sim,practical,10000,,8,0.036,0.03,1
four-steps,evb-sim,rigorous,10000,0.06,8,0.528,0.16,0
four-steps,evb-sim,rigorous,40000,0.06,8,0.328,0.16,0
four-steps,v-learning,practical,10000,0.06,8,5,0.25,0
four-steps,v-learning,practical,40000,0.06,8,2.25,0.125,2
four-steps,evb-online,rigorous,10000,0.06,8,1.5,0.3,0
four-steps,evb-online,rigorous,40000,0.06,8,1.2,0.3,0
two-steps,evb-sim,rigorous,77777,0.06,888,0.021,0.007,0
two-steps,evb-online,rigorous,77777,0.06,888,0.18,0.03,3
""",
    "lower-bound": """\
cell,algorithm,failing_samples,samples,scaled_samples,below_bound,runs,failures
base,q-ftrl,100,64,0.00032,True,55,55
base,q-ftrl,100,2000,0.01,False,55,11
base,evb-sim,100,50,0.00025,True,55,53
below,evb-sim,4000,4000,0.0015,True,55,54
below,uniform-sampler,4000,0,0,True,55,44
""",
    "lower-bound-crossings": """\
algorithm,axis,bound_exponent,exponent,ci_low,ci_high,crossing_low,crossing_high,spread
q-ftrl,horizon,4.36,4.65,4.55,4.75,0.1,0.2,2
q-ftrl,players,0,1.06,0.96,1.16,0.1,0.3,3
q-ftrl,all,,,,,0.1,0.34,3.4
evb-sim,horizon,4.36,3.61,3.51,3.71,0.1,0.2,2
evb-sim,players,0,,,,,,
evb-sim,all,,,,,0.08,0.144,1.8
""",
    "verify": """\
claim,quantity,expected,got,tolerance,comparator,verdict
sim-horizon,a,1,1,0,exact,pass
sim-horizon,b,1,2,0,exact,fail
""",
}
GAPS = (
    GAPS_HEAD
    + """,uniform_gap,gap_own
pathfinding-9x9,2,99,12,evb-sim,200000,exact,0.031337,0.03,0.032,0.4567,6.26771
pathfinding-9x9,2,99,12,evb-sim,100000,exact,0.9,0.8,1.0,0.4567,180.009
pathfinding-9x9,2,99,12,q-ftrl,200000,exact,0.0111,0.01,0.012,0.4567,2.22011
pathfinding-9x9,2,99,12,v-learning,12000,upper,0.3456,0.33,0.36,0.4567,69.1235
pathfinding-9x9,2,99,12,v-learning,24000,upper,0.3333,0.32,0.34,0.4567,66.6633
pathfinding-9x9,2,99,12,evb-online,16000,upper,0.2345,0.22,0.25,0.4567,46.9023
combination-lock,2,2,5,evb-online,5000,upper,0.1234,0.12,0.13,0.2345,0.1234
combination-lock,2,2,5,evb-online-no-bonus,5000,upper,0.2222,0.21,0.23,0.2345,0.2222
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
        "v-learning": {"rate_scale": 2.25, "bonus_scale": 0.15},
        "cce-v-learning": {"rate_scale": 2.35, "bonus_scale": 0.25},
        "stage-v-learning": {"rate_scale": 2.45, "bonus_scale": 0.55},
        "evb-online": {"rate_scale": 2.55, "bonus_scale": 0.65},
    },
    "sweeps": {
        "sim-horizon": {
            "setting": "simulator",
            "axis": "horizon",
            "values": [8, 16],
            "fit": [8, 16],
            "game": {"family": "survival", "num_players": 2, "eps_game": 0.567},
            "target_fraction": 0.25,
        },
        "sim-action-sum": {
            "setting": "simulator",
            "axis": "action-sum",
            "game": {"family": "survival", "num_players": 2, "num_actions": 19},
        },
        "sim-players": {
            "setting": "simulator",
            "axis": "players",
            "values": [1, 6],
            "fit": [1, 6],
            "replicates": 777,
            "game": {"family": "survival", "horizon": 17},
            "target_fraction": 0.125,
        },
        "online-horizon": {
            "setting": "online",
            "axis": "horizon",
            "values": [6, 12],
            "fit": [6, 12],
            "game": {"family": "survival", "num_players": 2, "eps_game": 0.678},
            "target_fraction": 0.5,
        },
        "online-states": {
            "setting": "online",
            "axis": "states",
            "values": [1, 8],
            "fit": [1, 8],
            "game": {"family": "survival", "num_players": 3, "horizon": 11, "eps_game": 0.125},
            "target_fraction": 0.5,
        },
        "online-epsilon": {
            "setting": "online",
            "axis": "epsilon",
            "values": [0.5, 0.25],
            "fit": [0.25, 0.5],
            "game": {"family": "survival", "num_players": 2, "horizon": 8},
            "target_fraction": 0.5,
        },
        "online-players": {
            "setting": "online",
            "axis": "players",
            "values": [1, 3],
            "fit": [1, 3],
            "game": {"family": "survival", "horizon": 14, "eps_game": 0.35},
            "target_fraction": 0.5,
        },
    },
    "tuning": {
        "held-out": {
            "replicates": 55,
            "game": {**SURVIVAL, "eps_game": 0.5},
            "rate_scales": [0.25, 16],
            "bonus_scales": [1, 3],
        },
        "held-out-online": {
            "replicates": 66,
            "game": {**SURVIVAL, "alive_states": 3, "eps_game": 0.5},
            "rate_scales": [0.125, 2],
            "bonus_scales": [0.2, 0.7],
        },
    },
    "curves": {
        "real-games": {"games": {"combination-lock": {"family": "combination-lock"}}},
        "certificate": {
            "replicates": 8,
            "games": {"four-steps": {**SURVIVAL, "num_actions": 5, "horizon": 5, "key_cost": 0.07}},
        },
        "coverage": {
            "replicates": 888,
            "games": {"two-steps": {**SURVIVAL, "num_actions": 6, "horizon": 2, "key_cost": 0.06}},
        },
        "gap-decay": {"games": {"dense-random": {"family": "dense-random", "alignment": -0.75}}},
    },
    "bonus_constants": {"v-learning": 0.0511, "cce-v-learning": 0.0522, "stage-v-learning": 0.0533},
    "bandits": {
        "adversaries": {"stochastic-0-3": {"adversary": "stochastic", "noise": 0.3}},
        "rounds": 54321, "runs": 333, "num_actions": 5, "gain_bound": 1.5, "failure": 0.06
    },
    "lower-bound": {
        "replicates": 55, "below": {"eps_game": 0.0625},
        "game": {
            "num_players": 3, "num_actions": 9, "num_blocks": 7, "horizon": 13, "eps_game": 0.5,
            "advantage_constant": 8,
        },
    },
}  # fmt: skip

FIGURES = (
    "sim-horizon", "sim-players", "sim-actions", "sim-states", "sim-epsilon", "exponents",
    "online-horizon", "online-players", "online-actions", "online-states", "online-epsilon",
    "gap-decay", "real-games", "ablation", "bandit", "certificate",
    "lower-bound",
)  # fmt: skip
