import { parse } from 'node:querystring'
import type { Readable } from 'node:stream'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkText } from './body/check-text.ts'
import { collectBody } from './body/collect.ts'
import { largeBody, readJson } from './body/read-json.ts'
import { parseInTurn, scanInSteps } from './body/turns.ts'

type Done = (error: Error | null, body?: unknown) => void

/** A form of the dashboard holds a few short fields. */
const maxFormBytes = 256 * 1024

/** Bodies are JSON or forms; a part that takes anything else adds its own parser. */
export async function parseBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', parseJson)
  await app.register(formbody, { bodyLimit: maxFormBytes, parser: parseForm })
}

/**
 * For routes that send the bytes on: they get them as they came, and read them with `readJson`. Large JSON was parsed
 * before, when it had its turn.
 */
export function keepJson(request: FastifyRequest, payload: Readable, done: Done): void {
  receiveJson(request, payload, done, (bytes) => bytes)
}

/** For routes that take several formats: they call `prepareJson` before they read JSON. */
export function keepBytes({ raw }: FastifyRequest, payload: Readable, done: Done): void {
  collectBody(payload, Number(raw.headers['content-length'] ?? 0), false, (error, collected) =>
    done(error, collected?.bytes),
  )
}

/** Has its turn, so that `readJson` does not hold the event loop where the body is large. */
export async function prepareJson(bytes: Buffer, { raw }: FastifyRequest): Promise<void> {
  if (bytes.length > largeBody) await parseInTurn(bytes, await scanInSteps(bytes), raw.socket)
}

/** JSON whose texts can all be stored. */
function parseJson(request: FastifyRequest, payload: Readable, done: Done): void {
  const { method, routeOptions } = request
  // Clients name a content type also where they send nothing.
  const mayBeEmpty = method === 'DELETE' || routeOptions.config.docs?.noBody === true
  receiveJson(request, payload, done, (bytes) => {
    if (bytes.length === 0 && mayBeEmpty) return undefined
    const value = readJson(bytes)
    checkText(value)
    return value
  })
}

function receiveJson(
  { raw: { headers, socket } }: FastifyRequest,
  payload: Readable,
  done: Done,
  read: (bytes: Buffer) => unknown,
): void {
  const finish = (bytes: Buffer): void => {
    let body: unknown
    try {
      body = read(bytes)
    } catch (error) {
      return done(error as Error)
    }
    done(null, body)
  }
  collectBody(payload, Number(headers['content-length'] ?? 0), true, (error, collected) => {
    if (!collected) return done(error)
    const { bytes, scan } = collected
    if (scan) void finishLater(parseInTurn(bytes, scan, socket), () => finish(bytes), done)
    else finish(bytes)
  })
}

async function finishLater(turn: Promise<void>, finish: () => void, done: Done): Promise<void> {
  try {
    await turn
  } catch (error) {
    return done(error as Error)
  }
  finish()
}

function parseForm(text: string): Record<string, unknown> {
  const fields = parse(text)
  checkText(fields)
  return fields
}
