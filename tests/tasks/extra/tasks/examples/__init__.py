"""The examples of prompts as tasks, so that their kernels are judged like any other."""
