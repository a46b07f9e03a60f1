import { subscribe } from 'node:diagnostics_channel'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { templateOf, type ApiDocument } from '#kernel/http'

/**
 * Checks every JSON response of every server in this process against the API document, and fails the test file at its
 * end. It listens to Fastify itself, so that no test has to ask for it.
 */

interface Server {
  app: FastifyInstance
  /** By path: a test calls few of them, and the whole document takes long to make. */
  documents: Map<string, Documented>
  validators: Map<string, ValidateFunction>
}

interface Documented {
  document: ApiDocument
  /** The same for another server of this process whose document is the same. */
  text: string
}

/** By the place in a document, and its text. The files of a process start one server each. */
const validators = new Map<string, ValidateFunction>()

const violations: string[] = []

subscribe('fastify.initialization', (message) => {
  const { fastify: app } = message as { fastify: FastifyInstance }
  const server: Server = { app, documents: new Map(), validators: new Map() }
  app.addHook('onSend', (request, reply, payload, done) => {
    // Other programs of a test, such as a fake provider, have no document.
    const violation =
      typeof app.apiDocument === 'function' &&
      check(server, request, reply.statusCode, reply.getHeader('content-type'), payload)
    if (violation) violations.push(violation)
    done(null, payload)
  })
})

// Not a hook of the test runner: one that throws keeps those behind it, which stop the servers, from running.
process.on('exit', () => {
  if (violations.length === 0) return
  console.error(['Responses do not match the API document:', ...new Set(violations)].join('\n  '))
  process.exitCode = 1
})

function check(
  server: Server,
  request: FastifyRequest,
  status: number,
  contentType: unknown,
  payload: unknown,
): string | undefined {
  const { url, config, schema } = request.routeOptions
  if (request.is404 || url === undefined || schema?.hide === true || request.method === 'HEAD')
    return undefined
  // The client has disconnected: nobody receives this status.
  if (status === 499) return undefined
  const template = templateOf({ url, docs: config.docs ?? {} })
  const place = `${request.method} ${template} ${status}`
  // Fastify removes the body of a 204 only after its hooks.
  const isJson = status !== 204 && String(contentType).startsWith('application/json')
  const body = isJson ? textOf(payload) : undefined
  const validate = isInOtherFormat(request, status)
    ? validatorFor(server, 'post', '/v1/messages', 400, body !== undefined)
    : validatorFor(server, request.method.toLowerCase(), template, status, body !== undefined)
  if (validate === 'undocumented') return `${place} is not documented`
  if (validate === undefined || body === undefined || validate(JSON.parse(body))) return undefined
  return `${place}: ${ajv().errorsText(validate.errors)} in ${body.slice(0, 300)}`
}

/** Clients of the Messages API get errors of all routes in its format. */
function isInOtherFormat(request: FastifyRequest, status: number): boolean {
  return status >= 400 && request.server.errorFormats.some(({ isFor }) => isFor(request))
}

/** Streams are not read: they have tests of their own. */
function textOf(payload: unknown): string | undefined {
  if (typeof payload === 'string') return payload
  return payload instanceof Uint8Array ? Buffer.from(payload).toString() : undefined
}

function validatorFor(
  server: Server,
  method: string,
  template: string,
  status: number,
  hasBody: boolean,
): ValidateFunction | 'undocumented' | undefined {
  const { document, text } = documentOf(server, template)
  const responses = document.paths[template]?.[method]?.responses ?? {}
  const key = [String(status), `${Math.floor(status / 100)}XX`].find((each) => each in responses)
  if (key === undefined) return 'undocumented'
  if (!hasBody) return undefined
  const pointer = ['paths', template, method, 'responses', key].map(escaped).join('/')
  const response = responses[key] as { $ref?: string }
  const place = response.$ref ?? `#/${pointer}`
  const known = server.validators.get(place)
  if (known) return known
  const content = resolve(document, place) as { content?: Record<string, unknown> }
  if (!content.content?.['application/json']) return 'undocumented'
  const name = `${place} ${text}`
  const made =
    validators.get(name) ?? ajv().compile({ ...document, $ref: `${place}/content/application~1json/schema` })
  validators.set(name, made)
  server.validators.set(place, made)
  return made
}

function documentOf(server: Server, template: string): Documented {
  const known = server.documents.get(template)
  if (known) return known
  const document = server.app.apiDocument(template)
  const made = { document, text: JSON.stringify(document) }
  server.documents.set(template, made)
  return made
}

let shared: Ajv2020 | undefined
function ajv(): Ajv2020 {
  if (shared) return shared
  // A validator is used a few times: making its code shorter would take longer than it saves.
  const code = { optimize: false }
  shared = new Ajv2020({ strict: false, validateFormats: true, validateSchema: false, code })
  addFormats.default(shared)
  return shared
}

function resolve(document: ApiDocument, pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .map((part) => decodeURIComponent(part.replaceAll('~1', '/').replaceAll('~0', '~')))
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document)
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))
