"""The template's table, queues, key and bucket on emulated services, by their logical ids."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.sam.stack_template import Template
from tests.sam.tools import HOST, Tools, free_port, wait_until_open

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient

TABLE = "agent-memory-Table"
BUCKET = "agent-memory-snapshots"


@contextmanager
def moto_server(tools: Tools, folder: Path) -> Iterator[int]:
    """The port of SQS, KMS and S3."""
    port = free_port()
    with (folder / "moto.log").open("wb") as log:
        command = [str(tools.moto), "-H", HOST, "-p", str(port)]
        with subprocess.Popen(command, stdout=log, stderr=log) as process:
            try:
                wait_until_open(process, port)
                yield port
            finally:
                process.terminate()


def make_table(client: DynamoDBClient, template: Template) -> dict[str, str]:
    """Name and ARN."""
    wanted = ("BillingMode", "AttributeDefinitions", "KeySchema")
    properties = template.body["Resources"]["Table"]["Properties"]
    made = client.create_table(TableName=TABLE, **{name: properties[name] for name in wanted})
    return {"Table": TABLE, "Table.Arn": made["TableDescription"]["TableArn"]}


def make_key(client: KMSClient) -> dict[str, str]:
    """Id and ARN."""
    made = client.create_key()["KeyMetadata"]
    return {"Key": made["KeyId"], "Key.Arn": made["Arn"]}


def make_bucket(client: S3Client) -> dict[str, str]:
    """Name and ARN."""
    client.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": client.meta.region_name})  # type: ignore[typeddict-item]
    return {"Snapshots": BUCKET, "Snapshots.Arn": f"arn:aws:s3:::{BUCKET}"}


def make_queues(client: SQSClient, template: Template) -> dict[str, str]:
    """Ids and ARNs by logical name; dead letters first, since the others name them."""
    physical: dict[str, str] = {}
    queues = template.of_type("AWS::SQS::Queue")
    for name in sorted(queues, key=lambda each: "RedrivePolicy" in queues[each]):
        properties = replace(template, physical=physical).resolved(queues[name])
        attributes = {key: _attribute(value) for key, value in properties.items()}
        answer = client.create_queue(QueueName=f"agent-memory-{name}.fifo", Attributes=attributes)
        physical[name] = answer["QueueUrl"]
        found = client.get_queue_attributes(QueueUrl=answer["QueueUrl"], AttributeNames=["QueueArn"])
        physical[f"{name}.Arn"] = found["Attributes"]["QueueArn"]
    return physical


def _attribute(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value) if isinstance(value, dict) else str(value)
