"""The trainer of the learned player. `learning/README.md` says how to run it."""
