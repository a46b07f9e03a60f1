import { parse } from 'node:querystring'
import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { checkText } from './body/check-text.ts'
import { largeBody, readJson } from './body/read-json.ts'
import { waitForTurn } from './body/turns.ts'

type Done = (error: null, body: unknown) => void

/** A form of the dashboard holds a few short fields. */
const maxFormBytes = 256 * 1024

/** Bodies are JSON or forms; a part that takes anything else adds its own parser. */
export async function parseBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, parseJson)
  await app.register(formbody, { bodyLimit: maxFormBytes, parser: parseForm })
}

/**
 * For routes that send the bytes on: Fastify hands them over as they came. A large body waits for its turn to be
 * parsed, which the route does with `readJson` before it awaits anything else but the next turn of the event loop.
 */
export function keepBytes(request: FastifyRequest, bytes: Buffer, done: Done): Promise<Buffer> | undefined {
  if (bytes.length > largeBody) return waitForTurn(bytes, request.raw.socket).then(() => bytes)
  done(null, bytes)
  return undefined
}

function parseJson(request: FastifyRequest, bytes: Buffer, done: Done): Promise<unknown> | undefined {
  if (bytes.length > largeBody) return waitForTurn(bytes, request.raw.socket).then(() => parseText(bytes))
  done(null, parseText(bytes))
  return undefined
}

/** JSON whose texts can all be stored. */
function parseText(bytes: Buffer): unknown {
  const value = readJson(bytes)
  checkText(value)
  return value
}

function parseForm(text: string): Record<string, unknown> {
  const fields = parse(text)
  checkText(fields)
  return fields
}
