"""Counting: worlds, probabilities, marginals, joint distributions, samples and steps.

| module | content |
|---|---|
| methods | the methods, and the choice among them |
| weighting | the weights of worlds |
| sums, open_law, dynamic_programme, path_counts | laws of sums, level by level |
| value_laws, value_counts | laws of sums that are each about one value, value by value |
| weighed_events | the private fluents of events as sums with weights |
| components, cells | counts shared by parts that differ in names only |
| sum_counter | the counter that uses all of these, and caches their counts |
| steps | how the counts change along the fluents |
| model_counting, likelihoods | all other laws, as a diagram of weighed worlds |
| nodes, sampling | the counts of a diagram |
| forward, weighted_diagram | the current possibilities after changes, event by event |
| fluents_asked | the fluents that a count is about |
| tuning | the settings of the methods without diagrams |
"""
