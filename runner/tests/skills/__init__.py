"""Tests of the skills: the scripts themselves, without a runner around them."""
