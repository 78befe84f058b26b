"""Words for times in texts of both languages, and the days that they mean."""
