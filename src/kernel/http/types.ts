import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from '#kernel/config'
import type { Log } from '#kernel/log'
import type { Metrics } from '#kernel/metrics'
import type { Tracing } from '#kernel/tracing'
import type { Resolvers } from './guard.ts'

export interface HttpDeps {
  config: Config
  log: Log
  metrics: Metrics
  resolvers: Resolvers
  /** Without it no request is traced. */
  tracing?: Tracing | undefined
  version: string
}

/** Routes are typed by their zod schemas. */
export type Http = FastifyInstance<
  Server,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>
