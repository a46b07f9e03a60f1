import { invalidField } from '#kernel/errors'
import { reportedTypes, maxMessage, maxTitle, severities, type ActivityType } from '../contract.ts'
import type { EventDraft } from '../event.ts'
import { errorLevel } from '../filter.ts'
import { parseTime } from '../query.ts'
import { isObject, storableMetadata, storableText } from '../storable.ts'
import { severityOf } from './severity-words.ts'
import { readService } from './read-event.ts'

const maxAttribute = 1_000
/** Attributes that become fields of the event; all others are kept in the metadata. */
const own = new Set(['specversion', 'severity', 'service', 'data', 'data_base64'])

/** A CloudEvent 1.0 in the JSON format. Its source and id make sending it again harmless. */
export function readCloudEvent(value: unknown, path: string): EventDraft {
  if (!isObject(value)) throw invalidField(path === '' ? 'The event' : path, 'must be an object')
  const at = (field: string): string => (path === '' ? field : `${path}.${field}`)
  if (value['specversion'] !== '1.0') throw invalidField(at('specversion'), 'must be "1.0"')
  attribute(value['id'], at('id'))
  const source = attribute(value['source'], at('source'))
  const type = attribute(value['type'], at('type'))
  const time = value['time']
  if (time !== undefined && time !== null && typeof time !== 'string')
    throw invalidField(at('time'), 'must be a time such as 2026-11-16T12:00:00Z')
  const severity = severityOf(value['severity'], at('severity')) ?? severities.indexOf('info')
  const data = readData(value, at)
  const subject = typeof value['subject'] === 'string' ? value['subject'] : ''
  return {
    at: parseTime(time ?? undefined, at('time')),
    // As they were sent: two events that differ only in what is masked, or in halves of characters, are two.
    sent: { source: value['source'] as string, id: value['id'] as string },
    type: typeOf(type, severity),
    severity,
    source: toSlug(source),
    service: readService(value['service'], at('service')),
    title: storableText(
      (data.title ?? (subject === '' ? type : `${type} ${subject}`)).slice(0, maxTitle),
      at('data'),
      maxTitle,
    ),
    message: storableText(data.message, at('data'), maxMessage),
    metadata: storableMetadata(metadataOf(data.fields, value), at('data')),
  }
}

function attribute(value: unknown, path: string): string {
  const text = storableText(value, path, maxAttribute)
  if (text === '') throw invalidField(path, 'must not be empty')
  return text
}

/** Data that has a field of this name itself is kept apart from the attributes. */
function metadataOf(data: Record<string, unknown>, value: Record<string, unknown>): Record<string, unknown> {
  const cloudevent = attributesOf(value)
  return Object.hasOwn(data, 'cloudevent') ? { data, cloudevent } : { ...data, cloudevent }
}

interface ReadData {
  title: string | null
  message: string
  fields: Record<string, unknown>
}

function readData(value: Record<string, unknown>, at: (field: string) => string): ReadData {
  const { data, data_base64: bytes } = value
  if (bytes !== undefined && typeof bytes !== 'string')
    throw invalidField(at('data_base64'), 'must be a string')
  if (bytes !== undefined && data !== undefined)
    throw invalidField(at('data_base64'), ['cannot be combined with ', { path: at('data') }])
  if (typeof bytes === 'string') return { title: null, message: '', fields: { data_base64: bytes } }
  if (typeof data === 'string') return { title: null, message: data, fields: {} }
  if (!isObject(data))
    return { title: null, message: '', fields: data === undefined || data === null ? {} : { data } }
  const { title, message, ...fields } = data
  return {
    title: typeof title === 'string' && title.trim() !== '' ? title : null,
    message: typeof message === 'string' ? message : '',
    fields: {
      ...fields,
      // What does not fit into a title is not lost.
      ...(title !== undefined && (typeof title !== 'string' || title.length > maxTitle) && { title }),
      ...(message !== undefined && typeof message !== 'string' && { message }),
    },
  }
}

function attributesOf(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !own.has(name)))
}

/** The type that one of the words of `com.example.deployment.finished` names; for others, what comes closest. */
export function typeOf(name: string, severity: number): ActivityType {
  const words = name
    .toLowerCase()
    .replaceAll('-', '_')
    .split(/[^a-z_]+/)
  const named = reportedTypes.find((type) => words.some((word) => word === type || word === `${type}s`))
  return named ?? (severity >= errorLevel ? 'error' : 'sync')
}

/** `https://github.com/cloudevents/spec` becomes `github.com-cloudevents-spec`. */
export function toSlug(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:(\/\/)?/, '')
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 100)
    .replace(/(?<![._-])[._-]+$/, '')
  return slug === '' ? 'api' : slug
}
