"""Runs vetted scripts, one confined process a run, behind HTTP on a unix socket. See README.md beside the package."""
