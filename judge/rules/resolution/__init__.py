"""The resolution of a movement phase (DATC chapter 5).

`matched_orders` matches supports and convoys to the moves they name, `movement` decides by
strengths, `resolver` orders the decisions that depend on each other, and `paradoxes` settles those
that depend on themselves. Where to find a rule:

| rule                                      | rulebook   | DATC         | function                |
|-------------------------------------------|------------|--------------|-------------------------|
| moves, bounces, head-to-head battles      | VIII       | 5.B, 6.E     | `succeeds`              |
| units that move in a ring                 | VIII       | 6.C          | `backup_rule`           |
| support, and a support that must match    | IX.1, IX.6 | 6.B.4, 6.D   | `find_mismatch`         |
| strength of an attack                     | IX.2       | 5.B          | `attack_strength`       |
| no self-dislodgement                      | IX.3       | 6.D.10 to 14 | `attack_strength`       |
| a bounce with own units                   | IX.4       | 6.D.33       | `prevent_strength`      |
| beleaguered garrison                      | IX.5       | 6.E.7 to 13  | `succeeds`              |
| no support to hold for a moving unit      | IX.6       | 6.D.7        | `hold_strength`         |
| a dislodged unit and its attacker's start | IX.7       | 6.E.1        | `prevent_strength`      |
| cut support                               | X          | 6.D.15 to 21 | `is_cut`, `_cuts`       |
| provinces closed to retreats by a bounce  | XI         | 6.H.6        | `_is_contested`         |
| disrupted convoys                         | XII        | 6.F.4 to 11  | `has_path`              |
| convoyed attack on a support of an attack | XII.5      | 4.A.2, 6.F   | `paradoxes.may_cut`     |
| convoy paradoxes (Szykman and others)     | -          | 6.F.14 to 29 | `paradoxes.backup_rule` |
| by land or by convoy                      | XII.6      | 4.A.3, 6.G   | `_choose_routes`        |
"""
