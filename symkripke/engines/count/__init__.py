"""Counting: worlds, probabilities, marginals, joint distributions, samples and steps.

| module | what it is |
|---|---|
| methods | the methods, and which one answers what |
| weighting | how worlds are weighed |
| sums, open_law, dynamic_programme, path_counts | laws of sums, level by level |
| value_laws, value_counts | laws of sums of which each is about one value, value by value |
| weighed_events | the private fluents of events as sums with weights |
| components, cells | what differs in names only is counted once |
| sum_counter | what asks all of these, and keeps their counts |
| steps | how the counts change along the fluents |
| model_counting, likelihoods | all other laws, as a diagram of weighed worlds |
| nodes, sampling | the counts of a diagram |
| forward, weighted_diagram | what is possible now, where fluents have changed, event by event |
| fluents_asked | the fluents that a count is asked over |
| tuning | the settings of the methods without diagrams |
"""
