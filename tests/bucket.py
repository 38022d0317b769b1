"""A server of a test's own that speaks S3, over HTTP on loopback."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from moto.server import ThreadedMotoServer

SECRET = "a-secret-of-the-bucket"
NAME = "pages-of-a-test"


@contextmanager
def running_bucket(patch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of an empty bucket, while its server runs; the environment has its
    endpoint and keys, as that of a deployment has them."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL_S3": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "a-test",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": "/dev/null",
        "AWS_SHARED_CREDENTIALS_FILE": "/dev/null",
    }.items():
        patch.setenv(name, value)
    try:
        import fsspec

        fsspec.filesystem("s3", skip_instance_cache=True).mkdir(NAME)
        yield f"s3://{NAME}/shop"
    finally:
        server.stop()
