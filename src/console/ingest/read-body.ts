import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { Fault, faults, invalid, invalidField, messageOf } from '#kernel/errors'
import { prepareJson, readJson } from '#kernel/http'
import { maxEventsPerCall } from '../contract.ts'
import type { EventDraft } from '../event.ts'
import { mapInTurns } from '../in-turns.ts'
import { isObject } from '../storable.ts'
import { isJson, mediaType, toText } from './body.ts'
import { readCloudEvent } from './cloudevents.ts'
import { readEvent } from './read-event.ts'

export interface ReadBody {
  drafts: EventDraft[]
  /** A person may name the group in a body that is one object. */
  groupId: string | undefined
}

type Read = (value: unknown, path: string) => EventDraft

const linesOfJson = new Set([
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
])

/** The events of a call, in any of the formats. One that is not valid refuses them all. */
export async function readBody(request: FastifyRequest, bytes: Buffer): Promise<ReadBody> {
  if (request.headers['ce-specversion'] !== undefined || request.headers['ce-id'] !== undefined)
    return { drafts: [readCloudEvent(binaryEvent(request, bytes), '')], groupId: undefined }
  const type = mediaType(request)
  if (linesOfJson.has(type)) return readMany(await parseLines(toText(bytes), request), readAny)
  if (type === 'application/cloudevents-batch+json') return readArray(readJson(bytes), readCloudEvent)
  if (type === 'application/cloudevents+json') return readOne(readJson(bytes), readCloudEvent)
  if (isJson(request)) {
    const value = readJson(bytes)
    return Array.isArray(value) ? readMany(value, readAny) : readOne(value, readAny)
  }
  throw new Fault(
    faults.unsupportedMediaType,
    'This content type is not supported. Send application/json, application/x-ndjson or a CloudEvent.',
  )
}

const readAny: Read = (value, path) =>
  isObject(value) && 'specversion' in value ? readCloudEvent(value, path) : readEvent(value, path)

function readOne(value: unknown, read: Read): ReadBody {
  return { drafts: [read(value, '')], groupId: groupOf(value) }
}

/** One of another type must not send the event to another group than the caller meant. */
function groupOf(value: unknown): string | undefined {
  const id = (isObject(value) ? value['group_id'] : undefined) ?? undefined
  if (id !== undefined && typeof id !== 'string') throw invalidField('group_id', 'must be a string')
  return id
}

function readArray(value: unknown, read: Read): Promise<ReadBody> {
  if (!Array.isArray(value)) throw invalid('The body must be an array of events.')
  return readMany(value, read)
}

async function readMany(values: readonly unknown[], read: Read): Promise<ReadBody> {
  if (values.length > maxEventsPerCall)
    throw invalid(
      `A call has at most ${maxEventsPerCall.toLocaleString('en')} events; this one has ${values.length}.`,
    )
  return { drafts: await mapInTurns(values, (value, index) => read(value, `[${index}]`)), groupId: undefined }
}

/** Characters to parse before other work gets a turn. */
const portion = 262_144

/** Lines with nothing but space do not count. The rest is not looked at when there are too many. */
async function parseLines(text: string, request: FastifyRequest): Promise<unknown[]> {
  const values: unknown[] = []
  let turnEndsAt = portion
  for (const { 0: line, index } of text.matchAll(/\S[^\n]*/g)) {
    if (values.length === maxEventsPerCall)
      throw invalid(`A call has at most ${maxEventsPerCall.toLocaleString('en')} events; this one has more.`)
    values.push(await parseLine(line, values.length, request))
    if (index + line.length < turnEndsAt) continue
    await nextTurn()
    turnEndsAt = index + line.length + portion
  }
  return values
}

async function parseLine(line: string, index: number, request: FastifyRequest): Promise<unknown> {
  const bytes = Buffer.from(line)
  try {
    await prepareJson(bytes, request)
    return readJson(bytes)
  } catch (error) {
    throw invalid(`Line ${index + 1} is not valid. ${messageOf(error)}`, `[${index}]`)
  }
}

/** A CloudEvent in binary mode: attributes in headers, the data in the body. */
function binaryEvent(request: FastifyRequest, bytes: Buffer): Record<string, unknown> {
  // A name such as __proto__ must stay data.
  const event = Object.create(null) as Record<string, unknown>
  for (const [name, value] of Object.entries(request.headers))
    if (name.startsWith('ce-') && typeof value === 'string') event[name.slice(3)] = decodeHeader(value)
  const type = mediaType(request)
  if (type !== '') event['datacontenttype'] = type
  if (bytes.length === 0) return event
  if (isJson(request)) return { ...event, data: readJson(bytes) }
  if (type.startsWith('text/')) return { ...event, data: toText(bytes) }
  return { ...event, data_base64: bytes.toString('base64') }
}

/** Header values are percent-encoded UTF-8. */
function decodeHeader(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
