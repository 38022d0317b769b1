"""Projects with one or the other of Dagster's storages."""

from pathlib import Path

import yaml


def put(home: Path, storage: dict[str, object]) -> None:
    file = home / "dagster.yaml"
    file.write_text(
        yaml.safe_dump(yaml.safe_load(file.read_text()) | {"storage": storage})
    )
