"""Who is calling and what they may do: access keys that sign, API keys, and the limits of both."""
