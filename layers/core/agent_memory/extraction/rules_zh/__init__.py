"""Facts in Chinese sentences, by rules."""
