"""What a model is told about a numerical contract, from plain facts alone.

Both the contract objects and the catalogue, which reads task files without importing torch,
take their sentences from here.
"""
