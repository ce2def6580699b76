"""Plans of recorded launches: read from an untrusted process, checked before they are run."""
