"""The embedded server and the command line."""
