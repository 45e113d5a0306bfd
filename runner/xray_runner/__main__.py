"""`python -m xray_runner`: serves; `--check` says whether it could, `--healthy` whether the one at the socket does."""

import asyncio
import logging
import os
import sys

from .config import BadConfig, from_environment


def main() -> int:
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s", stream=sys.stderr)
    if sys.platform != "linux":
        print("The runner needs Linux: its walls are Landlock and seccomp.", file=sys.stderr)
        return 1
    from . import check, listener

    try:
        config = from_environment(os.environ)
        if sys.argv[1:] == ["--check"]:
            return check.main(config)
        if sys.argv[1:] == ["--healthy"]:
            return 0 if check.healthy(config.listen) else 1
        if sys.argv[1:]:
            print("usage: python -m xray_runner [--check | --healthy]", file=sys.stderr)
            return 2
        asyncio.run(listener.serve(config))
    except BadConfig as error:
        print(error, file=sys.stderr)
        return 2
    except (OSError, ValueError, KeyError) as error:
        print(f"The runner cannot start: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
