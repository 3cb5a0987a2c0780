"""Bounds on a policy's values again, one sample after the other, in plain Python."""

import math


def interval(gains, bound, num_sums, failure):
    """Return lower and upper bounds on the mean of gains in [0, bound]."""
    total, squares = 0.0, 0.0
    for count, gain in enumerate(gains):
        centre = total / count if count else bound / 2.0
        squares += (gain - centre) ** 2
        total += gain
    iota = math.log(num_sums * (math.log2(len(gains)) + 7) / failure)
    width = 1.44 * math.sqrt(iota * squares) + 1.18 * bound * iota
    return (total - width) / len(gains), (total + width) / len(gains)


def bounds(num_actions, num_states, horizon, draws, failure):
    """Return {(step, state, player): (V^pi lower, upper, V^dag lower, upper)}."""
    players = range(len(num_actions))
    num_sums = 2 * horizon * num_states * (len(num_actions) + sum(num_actions))
    found = {(horizon, s, i): (0.0, 0.0, 0.0, 0.0) for s in range(num_states) for i in players}
    for h in reversed(range(horizon)):
        for s in range(num_states):
            rewards, nexts = (each.tolist() for each in draws.follow(h, s))
            own_rewards, own_nexts = (each.tolist() for each in draws.deviate(h, s))
            row = 0
            for i in players:

                def limit(rewards, nexts, place, h=h, i=i):
                    side = place % 2
                    gains = [
                        r + found[h + 1, z, i][place] for r, z in zip(rewards, nexts, strict=True)
                    ]
                    value = interval(gains, horizon - h, num_sums, failure)[side]
                    return min(horizon - h, value) if side else max(0.0, value)

                own = [
                    [limit(own_rewards[row + a], own_nexts[row + a], place) for place in (2, 3)]
                    for a in range(num_actions[i])
                ]
                row += num_actions[i]
                value = [limit(rewards[i], nexts, place) for place in (0, 1)]
                response = [max(each[side] for each in own) for side in (0, 1)]
                found[h, s, i] = (*value, *response)
    return found
