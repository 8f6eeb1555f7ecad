"""tantivy's analysers for the rules of core.search.words. Used by the index adapter."""

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer


def words() -> TextAnalyzer:
    """Runs of letters and digits in lower case; nothing is stemmed, left out, or too long."""
    return TextAnalyzerBuilder(Tokenizer.simple()).filter(Filter.lowercase()).build()


def whole() -> TextAnalyzer:
    return TextAnalyzerBuilder(Tokenizer.raw()).filter(Filter.lowercase()).build()


def unchanged() -> TextAnalyzer:
    return TextAnalyzerBuilder(Tokenizer.raw()).build()
