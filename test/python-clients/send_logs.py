"""Sends log records with OpenTelemetry's Python SDK, as an application of a team would."""

import logging
import os

from opentelemetry._logs import set_logger_provider
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.sdk._logs import LoggerProvider, LoggingHandler
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.resources import Resource

provider = LoggerProvider(resource=Resource.create({"service.name": "python-shop"}))
set_logger_provider(provider)
exporter = OTLPLogExporter(
    endpoint=os.environ["SIGNALBOX_URL"] + "/v1/logs",
    headers={"authorization": "Bearer " + os.environ["SIGNALBOX_KEY"]},
    compression=Compression.Gzip,
)
provider.add_log_record_processor(BatchLogRecordProcessor(exporter))
logger = logging.getLogger("shop")
logger.setLevel(logging.DEBUG)
logger.addHandler(LoggingHandler(level=logging.DEBUG, logger_provider=provider))

logger.info("Order accepted", extra={"order": 7})
logger.warning("Stock is low")
try:
    1 / 0
except ZeroDivisionError:
    logger.exception("Order failed")
provider.shutdown()
