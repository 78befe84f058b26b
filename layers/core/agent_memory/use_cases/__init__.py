"""One file per operation or job: `verb_noun(request, services) -> answer`."""
