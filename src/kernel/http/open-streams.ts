import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#kernel/config'
import { Fault, faults } from '#kernel/errors'
import { ReadLimit } from './read-limit.ts'

declare module 'fastify' {
  interface FastifyInstance {
    openStreams: OpenStreams
  }
}

const retryAfterSeconds = 10

/** The streams of server-sent events that are open in this process, counted by group. */
class OpenStreams {
  /** For what open streams read, so that many that resume together leave connections to others. */
  readonly reads = new ReadLimit(4)
  readonly #limits: Pick<Config, 'MAX_STREAMS' | 'MAX_STREAMS_PER_GROUP'>
  readonly #ofGroup = new Map<string, number>()
  #total = 0

  constructor(limits: Pick<Config, 'MAX_STREAMS' | 'MAX_STREAMS_PER_GROUP'>) {
    this.#limits = limits
  }

  /** Returns what gives the place back. */
  take(groupId: string): () => void {
    const count = this.#ofGroup.get(groupId) ?? 0
    const { MAX_STREAMS, MAX_STREAMS_PER_GROUP } = this.#limits
    if (count >= MAX_STREAMS_PER_GROUP) throw tooMany(`The group has ${count} open streams`)
    if (this.#total >= MAX_STREAMS) throw tooMany('The server has too many open streams')
    this.#total++
    this.#ofGroup.set(groupId, count + 1)
    return () => this.#giveBack(groupId)
  }

  #giveBack(groupId: string): void {
    this.#total--
    const left = (this.#ofGroup.get(groupId) ?? 1) - 1
    if (left === 0) this.#ofGroup.delete(groupId)
    else this.#ofGroup.set(groupId, left)
  }
}

const tooMany = (what: string): Fault =>
  new Fault(faults.rateLimit, `${what}. Close one, or try again later.`, {
    headers: { 'retry-after': String(retryAfterSeconds) },
  })

export function limitStreams(app: FastifyInstance, config: Config): void {
  app.decorate('openStreams', new OpenStreams(config))
}

/** To be called before anything is started for a stream: refuses when too many are open. */
export function admitStream(request: FastifyRequest, reply: FastifyReply, groupId: string): void {
  reply.raw.once('close', request.server.openStreams.take(groupId))
}
