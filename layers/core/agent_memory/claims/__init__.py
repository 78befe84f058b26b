"""What decides whether two texts say the same: numbers, dates, names, affirmation or denial, and content words."""
