"""The views that shells show, as records without HTML and colours."""
