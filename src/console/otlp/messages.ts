/** The logs messages of OTLP in their JSON form, as far as the console reads them. Nothing in them is certain. */

export interface LogsRequest {
  resourceLogs?: readonly ResourceLogs[]
}

export interface ResourceLogs {
  resource?: { attributes?: readonly KeyValue[] }
  scopeLogs?: readonly ScopeLogs[]
}

export interface ScopeLogs {
  scope?: Scope
  logRecords?: readonly LogRecord[]
}

export interface Scope {
  name?: string
  version?: string
}

export interface LogRecord {
  timeUnixNano?: string | number
  observedTimeUnixNano?: string | number
  severityNumber?: number | string
  severityText?: string
  body?: AnyValue
  attributes?: readonly KeyValue[]
  traceId?: string
  spanId?: string
  eventName?: string
}

export interface KeyValue {
  key: string
  value?: AnyValue
}

export interface AnyValue {
  stringValue?: string
  boolValue?: boolean
  intValue?: string | number
  doubleValue?: number | string
  arrayValue?: { values?: readonly AnyValue[] }
  kvlistValue?: { values?: readonly KeyValue[] }
  bytesValue?: string
}
