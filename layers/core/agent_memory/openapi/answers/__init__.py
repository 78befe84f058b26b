"""What operations answer: the shapes, in the words of the wire, from which JSON Schemas are made.

What is NotRequired is left out where it is not set.
"""
