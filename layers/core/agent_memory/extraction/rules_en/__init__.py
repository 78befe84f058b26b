"""Facts in English sentences, found without a model."""
