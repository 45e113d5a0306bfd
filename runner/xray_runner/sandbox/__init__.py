"""What confines one process on Linux: limits, Landlock, seccomp, and the proof that they hold."""
