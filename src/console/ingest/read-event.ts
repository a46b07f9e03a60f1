import { invalidField } from '#kernel/errors'
import {
  reportedTypes,
  maxMessage,
  maxName,
  maxTitle,
  severities,
  slugPattern,
  type ActivityType,
} from '../contract.ts'
import type { EventDraft } from '../event.ts'
import { parseTime } from '../query.ts'
import { isObject, storableMetadata, storableText } from '../storable.ts'

const known = new Set([
  'type',
  'severity',
  'service',
  'source',
  'title',
  'message',
  'metadata',
  'created_at',
  // Of an event that Signalbox itself has returned.
  'id',
  'sequence',
  'group_id',
])

/** An event in the format of the API. Fields that it does not have are kept in the metadata. */
export function readEvent(value: unknown, path: string): EventDraft {
  if (!isObject(value)) throw invalidField(path === '' ? 'The event' : path, 'must be an object')
  const at = (field: string): string => (path === '' ? field : `${path}.${field}`)
  const more = Object.fromEntries(Object.entries(value).filter(([name]) => !known.has(name)))
  const { metadata = {}, created_at: createdAt } = value
  if (createdAt !== undefined && typeof createdAt !== 'string')
    throw invalidField(at('created_at'), 'must be a time such as 2026-11-16T12:00:00Z')
  if (!isObject(metadata)) throw invalidField(at('metadata'), 'must be an object')
  return {
    at: parseTime(createdAt, at('created_at')),
    sent: null,
    type: readType(value['type'], at('type')),
    severity:
      value['severity'] === undefined
        ? severities.indexOf('info')
        : readSeverity(value['severity'], at('severity')),
    source: value['source'] === undefined ? 'api' : readSource(value['source'], at('source')),
    service: readService(value['service'], at('service')),
    title: readTitle(value['title'], at('title')),
    message: value['message'] === undefined ? '' : storableText(value['message'], at('message'), maxMessage),
    metadata: storableMetadata({ ...more, ...metadata }, at('metadata')),
  }
}

export function readType(value: unknown, path: string): ActivityType {
  const type = reportedTypes.find((each) => each === value)
  if (!type) throw invalidField(path, `must be one of ${reportedTypes.join(', ')}`)
  return type
}

export function readSeverity(value: unknown, path: string): number {
  const level = severities.findIndex((each) => each === value)
  if (level < 0) throw invalidField(path, `must be one of ${severities.join(', ')}`)
  return level
}

function readSource(value: unknown, path: string): string {
  if (typeof value !== 'string' || !slugPattern.test(value))
    throw invalidField(
      path,
      'must be a name of at most 100 lower-case letters, digits, dots, hyphens and underscores',
    )
  return value
}

export function readService(value: unknown, path: string): string | null {
  if (value === undefined || value === null) return null
  const service = storableText(value, path, maxName).trim()
  return service === '' ? null : service
}

export function readTitle(value: unknown, path: string): string {
  const title = storableText(value, path, maxTitle)
  if (title.trim() === '') throw invalidField(path, 'must not be empty')
  return title
}
