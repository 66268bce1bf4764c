"""Counting: worlds, probabilities, marginals, joint distributions, samples and steps.

| module | content |
|---|---|
| methods | the methods, and the choice among them |
| weighting | the weights of worlds |
| sums, open_law, dynamic_programme, path_counts | laws of sums, counted level by level |
| value_laws, value_counts | laws of sums over single values, counted value by value |
| weighed_events | the private fluents of events as sums with weights |
| components, cells | counts shared by parts that differ only in names |
| sum_counter | the counter that uses all of these and caches their counts |
| steps | how the counts change along the fluents |
| model_counting, likelihoods | all other laws, as a diagram of weighted worlds |
| nodes, sampling | the counts of a diagram |
| forward, weighted_diagram | the current possibilities after changes, filtered event by event |
| fluents_asked | the fluents that a count is about |
| tuning | the settings of the methods without diagrams |
"""
