import { FieldFault, invalid, invalidField, messageOf } from '#kernel/errors'
import { maxMessage, maxName, maxTitle, severities, slugPattern } from '../contract.ts'
import type { EventDraft } from '../event.ts'
import { typeOf } from '../ingest/cloudevents.ts'
import { readType } from '../ingest/read-event.ts'
import { severityOf } from '../ingest/severity-words.ts'
import { isObject, measuredMetadata, storableText } from '../storable.ts'
import type { LogRecord, LogsRequest, ResourceLogs, ScopeLogs } from './messages.ts'
import { numberOf, plainValue, plainValues, textOf } from './values.ts'

export interface ReadLogs {
  drafts: EventDraft[]
  /** Records that cannot be stored, and why the first of them cannot. */
  rejected: number
  reason: string | undefined
}

interface Context {
  resource: Resource
  scope: ScopeLogs['scope']
}

/** What the records of a resource share; it is read once, and stored with each of them. */
interface Resource {
  attributes: Record<string, unknown>
  /** Its characters as JSON. */
  size: number
  /** Why it cannot be stored. */
  fault?: FieldFault
}

export interface LogLimits {
  records: number
  /** Characters that events of one request may have together: a large resource is stored with each record. */
  characters: number
}

/** Every record becomes an event; one that cannot does not keep the others from being stored. */
export function readLogs(request: unknown, limits: LogLimits): ReadLogs {
  const result: ReadLogs = { drafts: [], rejected: 0, reason: undefined }
  const found = [...recordsIn(request, limits.records)]
  let characters = 0
  for (const { record, context } of found) {
    try {
      const { draft, size } = readRecord(record, context)
      characters += size
      if (characters > limits.characters)
        throw invalid(
          'The records are too large together with the attributes of their resources. Send them in several requests.',
        )
      result.drafts.push(draft)
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error
      result.rejected++
      result.reason ??= messageOf(error)
    }
  }
  return result
}

function* recordsIn(
  request: unknown,
  maxRecords: number,
): Generator<{ record: LogRecord; context: Context }> {
  let count = 0
  if (!isObject(request)) throw invalidField('The body', 'must be an object with resourceLogs')
  for (const ofResource of arrayOf<ResourceLogs>((request as LogsRequest).resourceLogs, 'resourceLogs')) {
    const resource = readResource(plainValues(ofResource.resource?.attributes))
    for (const ofScope of arrayOf<ScopeLogs>(ofResource.scopeLogs, 'scopeLogs'))
      for (const record of arrayOf<LogRecord>(ofScope.logRecords, 'logRecords')) {
        if (++count > maxRecords) throw invalid(`A request has at most ${maxRecords} log records.`)
        yield { record, context: { resource, scope: ofScope.scope } }
      }
  }
}

function arrayOf<T>(value: unknown, path: string): readonly T[] {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || !value.every(isObject)) throw invalidField(path, 'must be an array of objects')
  return value as readonly T[]
}

/** Its records are rejected one by one if it cannot be stored. */
function readResource(values: Record<string, unknown>): Resource {
  try {
    const { metadata, size } = measuredMetadata(values, 'attributes')
    return { attributes: metadata, size }
  } catch (error) {
    if (!(error instanceof FieldFault)) throw error
    return { attributes: values, size: 0, fault: error }
  }
}

function readRecord(record: LogRecord, { resource, scope }: Context): { draft: EventDraft; size: number } {
  if (resource.fault) throw resource.fault
  const attributes = plainValues(record.attributes)
  const setting = (name: string): unknown => attributes[name] ?? resource.attributes[name]
  const severity = levelOf(record)
  const body = textOf(plainValue(record.body))
  const name = nameOf(record, attributes)
  const service = setting('service.name')
  const type = setting('signalbox.type')
  const { metadata, size } = measuredMetadata(
    { ...attributes, otel: contextOf(record, scope) },
    'attributes',
    resource.size,
  )
  const otel = { resource: resource.attributes, ...(metadata['otel'] as object) }
  const draft: EventDraft = {
    at: timeOf(record),
    sent: null,
    type: type === undefined ? typeOfRecord(name, attributes, severity) : readType(type, 'signalbox.type'),
    severity,
    source: sourceOf(setting('signalbox.source')),
    service:
      typeof service === 'string' && service !== '' ? storableText(service, 'service.name', maxName) : null,
    title: titleOf(name, body),
    message: storableText(body, 'body', maxMessage),
    metadata: { ...metadata, otel },
  }
  return { draft, size: size + resource.size + draft.message.length }
}

function nameOf(record: LogRecord, attributes: Record<string, unknown>): string {
  const name = record.eventName ?? attributes['event.name']
  return typeof name === 'string' ? name : ''
}

function typeOfRecord(
  name: string,
  attributes: Record<string, unknown>,
  severity: number,
): EventDraft['type'] {
  const isCall = Object.keys(attributes).some((key) => /^(?:http|url)\./.test(key))
  const type = typeOf(name, severity)
  return type === 'sync' && isCall ? 'api_call' : type
}

function titleOf(name: string, body: string): string {
  const firstLine = body.trimStart().split('\n', 1)[0]?.trim() ?? ''
  const title = (name === '' ? firstLine : name).slice(0, maxTitle)
  return storableText(title === '' ? 'Log record' : title, 'body', maxTitle)
}

const sourceOf = (value: unknown): string =>
  typeof value === 'string' && slugPattern.test(value) ? value : 'otlp'

/** Numbers from 1 to 24, four for each severity; without one, the text. */
function levelOf({ severityNumber, severityText }: LogRecord): number {
  const number = typeof severityNumber === 'string' ? numberOfName(severityNumber) : numberOf(severityNumber)
  if (number >= 1 && number <= 24) return Math.floor((number - 1) / 4)
  try {
    return severityOf(severityText === '' ? undefined : severityText, 'severityText') ?? infoLevel
  } catch {
    return infoLevel
  }
}

const infoLevel = severities.indexOf('info')
const names = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL']

/** JSON may have the name of the number: SEVERITY_NUMBER_WARN2. */
function numberOfName(text: string): number {
  const [, name = '', step = '1'] = /^SEVERITY_NUMBER_([A-Z]+)([2-4])?$/.exec(text) ?? []
  const place = names.indexOf(name)
  return place < 0 ? Number(text) || 0 : place * 4 + Number(step)
}

function timeOf({ timeUnixNano, observedTimeUnixNano }: LogRecord): number | null {
  for (const time of [timeUnixNano, observedTimeUnixNano]) {
    const ms = Math.floor(numberOf(time) / 1e6)
    if (ms > 0 && Number.isSafeInteger(ms)) return ms
  }
  return null
}

function contextOf(record: LogRecord, scope: ScopeLogs['scope']): object {
  return {
    ...(scope?.name && { scope: scope.name }),
    ...(record.traceId && { trace_id: record.traceId }),
    ...(record.spanId && { span_id: record.spanId }),
    ...(record.severityText && { severity_text: record.severityText }),
  }
}
