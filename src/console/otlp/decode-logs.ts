import { invalid } from '#kernel/errors'
import type {
  AnyValue,
  KeyValue,
  LogRecord,
  LogsRequest,
  ResourceLogs,
  Scope,
  ScopeLogs,
} from './messages.ts'
import { fieldsOf, type FieldCount } from './protobuf.ts'

/** Many times what a full batch of a collector holds; each costs far more memory than its bytes. */
const maxFields = 500_000

/** A request in Protocol Buffers, as the object that it is in JSON. Field numbers are those of opentelemetry-proto. */
export function decodeLogs(bytes: Buffer): LogsRequest {
  const count: FieldCount = { left: maxFields }
  const resourceLogs: ResourceLogs[] = []
  for (const field of fieldsOf(bytes, count))
    if (field.number === 1) resourceLogs.push(resourceLogsOf(field.bytes, count))
  return { resourceLogs }
}

function resourceLogsOf(bytes: Buffer, count: FieldCount): ResourceLogs {
  const found: ResourceLogs & { scopeLogs: ScopeLogs[] } = { scopeLogs: [] }
  for (const field of fieldsOf(bytes, count)) {
    if (field.number === 1) found.resource = { attributes: attributesIn(field.bytes, count) }
    if (field.number === 2) found.scopeLogs.push(scopeLogsOf(field.bytes, count))
  }
  return found
}

function scopeLogsOf(bytes: Buffer, count: FieldCount): ScopeLogs {
  const found: ScopeLogs & { logRecords: LogRecord[] } = { logRecords: [] }
  for (const field of fieldsOf(bytes, count)) {
    if (field.number === 1) found.scope = scopeOf(field.bytes, count)
    if (field.number === 2) found.logRecords.push(logRecordOf(field.bytes, count))
  }
  return found
}

function scopeOf(bytes: Buffer, count: FieldCount): Scope {
  const scope: Scope = {}
  for (const field of fieldsOf(bytes, count)) {
    if (field.number === 1) scope.name = field.bytes.toString()
    if (field.number === 2) scope.version = field.bytes.toString()
  }
  return scope
}

function logRecordOf(bytes: Buffer, count: FieldCount): LogRecord {
  const record: LogRecord & { attributes: KeyValue[] } = { attributes: [] }
  for (const { number, integer, bytes: value } of fieldsOf(bytes, count)) {
    if (number === 1) record.timeUnixNano = String(integer)
    if (number === 2) record.severityNumber = Number(integer)
    if (number === 3) record.severityText = value.toString()
    if (number === 5) record.body = anyValueOf(value, count, 0)
    if (number === 6) record.attributes.push(keyValueOf(value, count, 0))
    if (number === 9) record.traceId = value.toString('hex')
    if (number === 10) record.spanId = value.toString('hex')
    if (number === 11) record.observedTimeUnixNano = String(integer)
    if (number === 12) record.eventName = value.toString()
  }
  return record
}

function attributesIn(bytes: Buffer, count: FieldCount, depth = 0): KeyValue[] {
  const found: KeyValue[] = []
  for (const field of fieldsOf(bytes, count))
    if (field.number === 1) found.push(keyValueOf(field.bytes, count, depth))
  return found
}

function keyValueOf(bytes: Buffer, count: FieldCount, depth: number): KeyValue {
  const pair: KeyValue = { key: '' }
  for (const field of fieldsOf(bytes, count)) {
    if (field.number === 1) pair.key = field.bytes.toString()
    if (field.number === 2) pair.value = anyValueOf(field.bytes, count, depth)
  }
  return pair
}

const maxDepth = 32
const double = Buffer.alloc(8)

function anyValueOf(bytes: Buffer, count: FieldCount, depth: number): AnyValue {
  if (depth > maxDepth) throw invalid(`The values of a log record are nested deeper than ${maxDepth} levels.`)
  let value: AnyValue = {}
  for (const { number, integer, bytes: content } of fieldsOf(bytes, count)) {
    if (number === 1) value = { stringValue: content.toString() }
    if (number === 2) value = { boolValue: integer !== 0n }
    if (number === 3) value = { intValue: String(BigInt.asIntN(64, integer)) }
    if (number === 4) {
      double.writeBigUInt64LE(integer)
      value = { doubleValue: double.readDoubleLE() }
    }
    if (number === 5) value = { arrayValue: { values: valuesIn(content, count, depth + 1) } }
    if (number === 6) value = { kvlistValue: { values: attributesIn(content, count, depth + 1) } }
    if (number === 7) value = { bytesValue: content.toString('base64') }
  }
  return value
}

function valuesIn(bytes: Buffer, count: FieldCount, depth: number): AnyValue[] {
  const found: AnyValue[] = []
  for (const field of fieldsOf(bytes, count))
    if (field.number === 1) found.push(anyValueOf(field.bytes, count, depth))
  return found
}
