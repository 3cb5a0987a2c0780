"""The command line ``ccerates``: reads arguments, calls `ccerates.api`, prints."""
