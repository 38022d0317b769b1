"""What deploy/kubernetes says: the commands that Dagster's chart makes of it, started without the cluster, crawl a shop."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import yaml

from crawloop_assets.pipeline.drive import Drive
from crawloop_assets.pipeline.launch import free_port
from tests.broker import running_broker
from tests.e2e.services import DEPLOY, PATIENCE_S, answers, never_crawled
from tests.world import World

VALUES: dict[str, Any] = yaml.safe_load(
    (DEPLOY / "kubernetes" / "values.yaml").read_text()
)
CLAIM, WORKER = yaml.safe_load_all((DEPLOY / "kubernetes" / "workers.yaml").read_text())
CODE = VALUES["dagster-user-deployments"]["deployments"][0]
POD = WORKER["spec"]["template"]["spec"]
PROGRAMS = Path(sys.executable).parent
GRACE_S = 30  # what a kubelet gives a pod if nothing else is said


def instance_of(values: dict[str, Any], params: dict[str, str]) -> dict[str, Any]:
    """The dagster.yaml that the chart makes of its values, with where a test's Postgres
    is."""
    base = values["postgresql"]
    database = {
        "username": base["postgresqlUsername"],
        "password": {"env": "DAGSTER_PG_PASSWORD"},
        "hostname": "localhost",
        "db_name": "postgres",
        "port": int(params.pop("port")),
        "params": params,
        "scheme": base["postgresqlScheme"],
    }
    kept = [("run", "Run"), ("schedule", "Schedule"), ("event_log", "EventLog")]
    storages = {
        f"{name}_storage": {
            "module": f"dagster_postgres.{name.replace('log_storage', 'log')}"
            + ("_storage" if name != "event_log" else ""),
            "class": f"Postgres{kind}Storage",
            "config": {"postgres_db": database},
        }
        for name, kind in kept
    }
    daemon = values["dagsterDaemon"]
    return {
        **storages,
        "run_launcher": values["runLauncher"]["config"]["customRunLauncher"],
        "run_coordinator": daemon["runCoordinator"]["config"]["customRunCoordinator"],
        "compute_logs": values["computeLogManager"]["config"][
            "customComputeLogManager"
        ],
        "telemetry": values["telemetry"],
        "sensors": threads_of(daemon["sensors"]),
        "schedules": threads_of(daemon["schedules"]),
        "retention": {
            kind: {"purge_after_days": values["retention"][kind]["purgeAfterDays"]}
            for kind in ("schedule", "sensor")
        },
        **values["additionalInstanceConfig"],
    }


def threads_of(said: dict[str, Any]) -> dict[str, Any]:
    return {"use_threads": said["useThreads"], "num_workers": said["numWorkers"]}


def test_its_instance_is_that_of_workers_but_for_where_things_are() -> None:
    ours = yaml.safe_load((DEPLOY / "dagster-workers.yaml").read_text())
    made = instance_of(VALUES, {"port": "1"})
    storages = {"run_storage", "schedule_storage", "event_log_storage", "storage"}
    places = {"local_artifact_storage", "compute_logs"}
    assert made.keys() - storages == ours.keys() - storages
    for name in ours.keys() - storages - places:
        assert made[name] == ours[name], name
    for name in places:
        folder = "/project/" + ours[name]["config"]["base_dir"]
        assert made[name] == ours[name] | {"config": {"base_dir": folder}}


@pytest.mark.parametrize(
    "part", ["dagsterDaemon", "dagsterWebserver", "code", "worker"]
)
def test_a_pod_is_no_root_and_writes_to_its_project_and_tmp_alone(part: str) -> None:
    said = {**VALUES, "code": CODE, "worker": POD | POD["containers"][0]}[part]
    pod = POD["securityContext"] if part == "worker" else said["podSecurityContext"]
    assert pod["runAsNonRoot"] and pod["runAsUser"] == 10001
    assert said["securityContext"]["readOnlyRootFilesystem"]
    assert said["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    mounted = {one["mountPath"] for one in said["volumeMounts"]}
    assert mounted - {"/project/dagster.yaml"} == {"/project", "/tmp"}
    volumes = {one["name"]: one for one in said["volumes"]}
    claim = volumes["project"]["persistentVolumeClaim"]["claimName"]
    assert claim == CLAIM["metadata"]["name"]


@pytest.fixture
def story(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """A shop that was never crawled, in a project with the instance of the chart."""
    plain = (DEPLOY / "dagster.yaml").read_text()
    with (
        running_broker(tmp_path_factory.mktemp("broker")) as broker,
        never_crawled(tmp_path_factory, plain, monkeypatch) as made,
    ):
        monkeypatch.setenv("CRAWLOOP_BROKER_URL", broker)
        monkeypatch.setenv("DAGSTER_PG_PASSWORD", "none")
        url = os.environ["DAGSTER_POSTGRES_URL"]
        instance = instance_of(VALUES, dict(parse_qsl(urlsplit(url).query)))
        text = yaml.safe_dump(instance).replace("/project", str(made.project.root))
        (made.project.root / "dagster.yaml").write_text(text)
        yield made


def commands(port: int, ui: int, workspace: Path) -> dict[str, list[str]]:
    """What the chart and the manifest start, on ports of loopback."""
    here = ["-h", "127.0.0.1", "-p"]
    asked = ["-w", str(workspace)]
    (worker,) = POD["containers"]
    return {
        "code": [
            "dagster",
            "api",
            "grpc",
            *here,
            str(port),
            *CODE["dagsterApiGrpcArgs"],
        ],
        "daemon": ["dagster-daemon", "run", *asked],
        "webserver": ["dagster-webserver", *here, str(ui), *asked],
        "worker": worker["command"],
    }


def is_ready(port: int) -> bool:
    """The chart's probe of a server of code."""
    probe = ["api", "grpc-health-check", "-p", str(port)]
    return not subprocess.run(
        [str(PROGRAMS / "dagster"), *probe], check=False, capture_output=True
    ).returncode


def end_pod(process: subprocess.Popen[bytes]) -> None:
    """As a kubelet ends it: what is still there after its grace is killed."""
    process.terminate()
    try:
        process.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.e2e
@pytest.mark.long
def test_a_shop_is_crawled_by_what_the_chart_starts(story: World) -> None:
    port, ui = free_port(), free_port()
    workspace = story.project.root / "kubernetes-workspace.yaml"
    server = {"host": "127.0.0.1", "port": port, "location_name": CODE["name"]}
    workspace.write_text(yaml.safe_dump({"load_from": [{"grpc_server": server}]}))
    drive = Drive(f"http://127.0.0.1:{ui}", story.instance)
    with ExitStack() as stack:
        for name, (program, *said) in commands(port, ui, workspace).items():
            log = stack.enter_context((story.project.var / f"{name}.log").open("wb"))
            process = subprocess.Popen(
                [str(PROGRAMS / program), *said],
                cwd=story.project.root,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            stack.callback(end_pod, process)
            if name == "code":  # the others begin where its probe has said so
                drive.until(lambda: is_ready(port), "the code", PATIENCE_S)
        drive.until(lambda: answers(drive), "the UI", PATIENCE_S)
        drive.wait([drive.discover(story.family)], PATIENCE_S)
        drive.wait([drive.refresh(story.family)], PATIENCE_S)
        assert list(story.witness().faults(complete=False)) == []
