"""The games that come with symkripke, one folder each."""
