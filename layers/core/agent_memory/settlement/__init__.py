"""Candidates to units: what is new, what adds to what is there, and one transaction for it."""
