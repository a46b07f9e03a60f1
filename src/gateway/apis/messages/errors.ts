import type { FastifyRequest } from 'fastify'
import { faultBody, faultStatus } from './fault.ts'
import { isMessagesClient } from './headers.ts'

/** Errors of all routes for clients of the Messages API. */
export const messagesErrors = {
  isFor: ({ headers }: FastifyRequest) => isMessagesClient(headers),
  idHeader: 'request-id',
  faultBody,
  faultStatus,
}
