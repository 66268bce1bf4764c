"""The contents of views that shells show, as records without HTML or colours."""
