"""The deployed stack in miniature: table, queues, bucket as in the template, one process per function of the build."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3

from agent_memory.adapters.dynamodb_table import DynamoTable
from agent_memory.adapters.meter import Meter
from tests.contract import dynoxide
from tests.sam import lambda_process, resources
from tests.sam.aws_calls import Call
from tests.sam.aws_front import AwsFront, front
from tests.sam.keys import Keys, make_keys
from tests.sam.lambda_process import LambdaProcess
from tests.sam.stack_template import ROOT, Template
from tests.sam.tools import HOST, Tools, absent, credentials

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient

MODEL = ROOT / ".models" / "e5-small"
WORKERS = {
    "ExtractionQueue": "extraction_worker",
    "MaintenanceQueue": "maintenance_worker",
    "IndexQueue": "index_worker",  # last: the others ask for snapshots
}
RECORD_KEYS = {"messageId": "MessageId", "receiptHandle": "ReceiptHandle", "body": "Body", "md5OfBody": "MD5OfBody"}


@dataclass
class Stack:
    """The running functions, and what stands in for the services around them."""

    template: Template
    dynamodb: DynamoDBClient
    sqs: SQSClient
    s3: S3Client
    keys: Keys
    functions: dict[str, LambdaProcess] = field(default_factory=dict)
    fronts: dict[str, AwsFront] = field(default_factory=dict)

    def call(self, operation: str, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """(status, answer) of a request with the API key."""
        response = self.respond(operation, json.dumps(body), {"x-ots-apikey": self.keys.api_key})
        return response["statusCode"], json.loads(response["body"])

    def respond(self, operation: str, body: str, headers: Mapping[str, str]) -> dict[str, Any]:
        """The response to a request that the HTTP API hands to the function of its route."""
        event = json.loads((ROOT / "events" / "memory_stores.json").read_text(encoding="utf-8"))
        event |= {"rawPath": f"/{operation}", "routeKey": f"POST /{operation}", "body": body}
        event["headers"] = {"content-type": "application/json", **headers}
        response: dict[str, Any] = self.functions[self.route(operation)].invoke(event)
        return response

    def ok(self, operation: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The answer of a request that must succeed."""
        status, answer = self.call(operation, body)
        assert status == 200, answer
        return answer

    def receive(self, queue: str) -> list[dict[str, Any]]:
        """A batch of the queue as the event source mapping hands it over; empty when none is ready."""
        answer = self.sqs.receive_message(
            QueueUrl=self.url(queue), MaxNumberOfMessages=10, MessageSystemAttributeNames=["All"]
        )
        fixed = {"messageAttributes": {}, "eventSource": "aws:sqs", "awsRegion": credentials()["AWS_REGION"]}
        arn = self.template.physical[f"{queue}.Arn"]
        return [
            {name: message[key] for name, key in RECORD_KEYS.items()}  # type: ignore[literal-required]
            | {"attributes": message["Attributes"], "eventSourceARN": arn, **fixed}
            for message in answer.get("Messages", [])
        ]

    def deliver(self, queue: str, worker: str, *, hide_seconds: int = 0) -> list[str]:
        """One round of the event source mapping: the bodies that the worker reported as failed.

        The others are deleted; the failed ones come again after `hide_seconds`, not after the queue's own time.
        """
        records = self.receive(queue)
        if not records:
            return []
        answer = self.functions[worker].invoke({"Records": records})
        failed = {each["itemIdentifier"] for each in answer["batchItemFailures"]}
        for record in records:
            handle = {"QueueUrl": self.url(queue), "ReceiptHandle": record["receiptHandle"]}
            if record["messageId"] in failed:
                self.sqs.change_message_visibility(**handle, VisibilityTimeout=hide_seconds)
            else:
                self.sqs.delete_message(**handle)
        return [record["body"] for record in records if record["messageId"] in failed]

    def drain(self) -> None:
        """Let the workers do all that is queued, without a failure."""
        for queue, worker in WORKERS.items():
            while self.waiting(queue):
                assert self.deliver(queue, worker) == []

    def waiting(self, queue: str) -> int:
        """Messages that are ready or in flight."""
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        answer = self.sqs.get_queue_attributes(QueueUrl=self.url(queue), AttributeNames=names)  # type: ignore[arg-type]
        return sum(int(value) for value in answer["Attributes"].values())

    def table(self) -> DynamoTable:
        """The table through the project's own adapter."""
        name = self.template.physical["Table"]
        return DynamoTable(self.dynamodb, name, pause=time.sleep, random=random.random, meter=Meter())

    def items(self) -> list[tuple[str, str]]:
        """Every key of the table."""
        pages = self.dynamodb.get_paginator("scan").paginate(TableName=self.template.physical["Table"])
        return [(item["pk"]["S"], item["sk"]["S"]) for page in pages for item in page["Items"]]

    def objects(self) -> list[str]:
        """Every name in the bucket."""
        found = self.s3.list_objects_v2(Bucket=self.template.physical["Snapshots"])
        return [each["Key"] for each in found.get("Contents", [])]

    def calls_since(self, function: str, start: int) -> list[Call]:
        """The calls to AWS of a function after its first `start` ones."""
        return self.fronts[function].calls[start:]

    def url(self, queue: str) -> str:
        """The queue's URL by its logical id."""
        return self.template.physical[queue]

    def route(self, name: str) -> str:
        """The function that serves the operation or page, or everything else."""
        functions = {
            event["Properties"].get("Path", "$default"): function
            for function, each in self.template.functions().items()
            for event in each["Events"].values()
            if event["Type"] == "HttpApi"
        }
        return functions.get(f"/{name}", functions["$default"])


@contextmanager
def running(tools: Tools, template: Template, folder: Path) -> Iterator[Stack]:
    """Emulators, resources, keys and functions; `folder` takes the logs."""
    binary = dynoxide.find_binary() or absent("dynoxide: bash tests/sam/install_tools.sh")
    if not MODEL.is_dir():
        absent("the embedding model: make setup")
    with ExitStack() as stack:
        dynamodb_url = stack.enter_context(dynoxide.running(binary))
        moto = stack.enter_context(resources.moto_server(tools, folder))
        ports = {"dynamodb": int(dynamodb_url.rpartition(":")[2]), "sqs": moto, "kms": moto, "s3": moto}
        session = boto3.Session("test", "test", region_name=credentials()["AWS_REGION"])
        dynamodb = session.client("dynamodb", endpoint_url=dynamodb_url)
        sqs = session.client("sqs", endpoint_url=f"http://{HOST}:{moto}")
        physical = resources.make_table(dynamodb, template) | resources.make_queues(sqs, template)
        physical |= resources.make_key(session.client("kms", endpoint_url=f"http://{HOST}:{moto}"))
        s3 = session.client("s3", endpoint_url=f"http://{HOST}:{moto}")
        physical |= resources.make_bucket(s3)
        template = replace(template, physical=physical)
        keys = make_keys(template, stack.enter_context(front("keys", ports)))
        whole = Stack(template, dynamodb, sqs, s3, keys)
        for name in template.functions():
            whole.fronts[name] = stack.enter_context(front(name, ports))
            started = _function(tools, template, name, whole.fronts[name].endpoint, folder / f"{name}.log")
            whole.functions[name] = stack.enter_context(started)
        yield whole


def _function(tools: Tools, template: Template, name: str, endpoint: str, log: Path) -> Any:
    code = template.path.parent / template.functions()[name]["CodeUri"]
    return lambda_process.running(tools, template, name, code=code, endpoint=endpoint, model=MODEL, log=log)
