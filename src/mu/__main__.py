"""`python -m mu`: the same as the command `mu`."""

from mu.cli import main

if __name__ == "__main__":
    main()
