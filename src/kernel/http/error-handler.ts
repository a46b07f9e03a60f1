import type { Socket } from 'node:net'
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerOptions,
} from 'fastify'
import { isDatabaseBusy, isDatabaseDown, isValueRefused } from '#kernel/db'
import { Fault, faults, invalid, messageOf } from '#kernel/errors'
import type { Log } from '#kernel/log'
import { prefersPage } from './accept.ts'
import { bodyTooLarge } from './body/budget.ts'
import { endWith } from './raw-response.ts'
import { rememberRoutes, unknownRoute } from './route-table.ts'
import { describeValidation } from './validation-messages.ts'

/** The one place where an error becomes a response. */
function attach(app: FastifyInstance, log: Log): void {
  app.decorate('errorFormats', [])
  rememberRoutes(app)
  app.setErrorHandler((error, request, reply) => send(faultOf(error, request), error, request, reply, log))
  app.setNotFoundHandler((request, reply) => {
    if (reply.sendPage && request.method === 'GET' && wantsPage(request)) return reply.sendPage()
    const fault = unknownRoute(app, request)
    return send(fault, fault, request, reply, log)
  })
}

function send(
  fault: Fault,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  log: Log,
): FastifyReply {
  if (fault.status >= 500)
    log.error({ error, requestId: request.id, internal: fault.internal }, 'a request failed')
  const format = request.server.errorFormats.find(({ isFor }) => isFor(request))
  const { faultBody, faultStatus } = format ?? request.routeOptions.config
  if (format) void reply.header(format.idHeader, request.id)
  if (fault.status === 401) void reply.header('www-authenticate', 'Bearer realm="Signalbox"')
  // Fastify closes the connection of a body that it refused, which would lose the response: the rest is drained.
  if (reply.hasHeader('connection')) void reply.header('connection', 'keep-alive')
  return reply
    .code(faultStatus?.(fault) ?? fault.status)
    .headers(fault.headers)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(faultBody?.(fault, request.id) ?? fault.body()))
}

/** How errors look to some clients, whatever route they call. */
interface ErrorFormat {
  isFor(request: FastifyRequest): boolean
  readonly idHeader: string
  faultBody(fault: Fault, requestId: string): object
  faultStatus(fault: Fault): number
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Clients that a format is for get errors in it, also where no route fits. */
    errorFormats: ErrorFormat[]
  }
}

/** The response of an error. */
export function faultOf(error: unknown, request: FastifyRequest): Fault {
  if (error instanceof Fault) return error
  const { code, statusCode = 500, validation } = error as FastifyError
  if (validation?.[0]) return describeValidation(validation[0], (error as FastifyError).validationContext)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(request.routeOptions.bodyLimit)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Fault(
      faults.unsupportedMediaType,
      'This content type is not supported. Send application/json.',
    )
  }
  if (isDatabaseBusy(error)) return tryAgain('The database is busy. Try again in a moment.')
  if (isDatabaseDown(error)) return tryAgain('The database is unavailable. Try again in a moment.')
  const refusal = lostRace(code)
  if (refusal) return refusal
  if (isValueRefused(error)) return invalid('A value in the request is out of range or cannot be stored.')
  if (statusCode >= 400 && statusCode < 500) return invalid(describeClientError(error as Error))
  return new Fault(
    faults.internal,
    `Internal server error. Include the request ID ${request.id} when you report it.`,
  )
}

const tryAgain = (message: string): Fault =>
  new Fault(faults.unavailable, message, { headers: { 'retry-after': '2' } })

/** The database decides between two requests at the same moment; the one that lost did nothing wrong. */
function lostRace(code: string): Fault | undefined {
  if (code === '23503')
    return new Fault(faults.notFound, 'Something that this request refers to was deleted meanwhile.')
  if (code === '23505') return new Fault(faults.conflict, 'This was created by another request meanwhile.')
  if (code === '40001' || code === '40P01')
    return new Fault(faults.conflict, 'This was changed by another request meanwhile. Try again.')
  return undefined
}

function describeClientError(error: Error): string {
  if (error instanceof SyntaxError || /JSON/.test(error.message))
    return `The body is not valid JSON: ${error.message.replace(/\.$/, '')}.`
  return error.message
}

/** A browser that navigates gets the dashboard; everything under an API prefix gets the error object. */
function wantsPage(request: FastifyRequest): boolean {
  return !/^\/(api|v1|mcp|assets)(\/|$)/.test(request.url) && prefersPage(request.headers)
}

function describeBrokenRequest(code: string | undefined): Fault {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Fault(faults.requestTimeout, 'The request headers did not arrive in time.')
  if (code === 'HPE_HEADER_OVERFLOW')
    return new Fault(faults.invalidRequest, 'The request headers are too large.', { status: 431 })
  return invalid('This is not a valid HTTP request.')
}

const beforeRouting = {
  frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const fault = invalid(
      error.code === 'FST_ERR_BAD_URL' ? 'The request URL is not valid.' : messageOf(error),
    )
    void reply.header('x-request-id', request.id).code(fault.status).send(fault.body())
  },
  clientErrorHandler: (error: Error & { code?: string }, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else endWith(socket, describeBrokenRequest(error.code))
  },
} satisfies Pick<FastifyServerOptions, 'frameworkErrors' | 'clientErrorHandler'>

export const errorHandler = { attach, beforeRouting }
