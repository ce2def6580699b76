"""The vocabulary: records that cross borders. Never torch."""
