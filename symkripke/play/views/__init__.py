"""What a shell shows, as records without HTML and without colours."""
