"""``python -m procura`` is the command ``procura``."""

from procura.cli import main

if __name__ == "__main__":
    main()
