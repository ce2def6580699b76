"""Tests of the trusted side of the border."""
