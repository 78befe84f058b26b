"""Words and characters of languages as tables: stems and function words of English, forms of Chinese characters."""
