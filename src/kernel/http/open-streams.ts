import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { collectOpen } from '#kernel/metrics'
import { Places } from './places.ts'
import type { HttpDeps } from './types.ts'
import { whenClosed } from './when-closed.ts'

declare module 'fastify' {
  interface FastifyInstance {
    openStreams: {
      /** The streams of server-sent events, counted by group, by person with all their keys, and by key. */
      groups: Places
      people: Places
      keys: Places
      /** For what open streams read, so that many that resume together leave connections to others. */
      reads: ReadLimit
    }
  }
}

export function limitStreams(
  app: FastifyInstance,
  { config, metrics }: Pick<HttpDeps, 'config' | 'metrics'>,
): void {
  const places = (owner: string, maxPerOwner: number): Places =>
    new Places({ what: 'streams', owner, max: config.MAX_STREAMS, maxPerOwner })
  const groups = places('group', config.MAX_STREAMS_PER_GROUP)
  collectOpen(metrics.registry, 'streams', 'Streams of server-sent events that are open', () => groups.total)
  app.decorate('openStreams', {
    groups,
    people: places('person', config.MAX_STREAMS_PER_PERSON),
    keys: places('key', config.MAX_STREAMS_PER_KEY),
    reads: new ReadLimit(4),
  })
}

/** To be called before anything is started for a stream: refuses when too many are open. */
export function admitStream(request: FastifyRequest, reply: FastifyReply, groupId: string): void {
  const { groups, people, keys } = request.server.openStreams
  const { user, key } = request.principal ?? {}
  request.isTimedApart = true
  // A place that was taken before a later one is refused is given back when the refusal has been sent.
  const take = (places: Places, id: string): void => whenClosed(reply.raw, places.take(id))
  if (key) take(keys, key.id)
  if (user) take(people, user.id)
  take(groups, groupId)
}

/** Lets a few reads run at a time, so that many readers that resume together leave connections to others. */
class ReadLimit {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(limit: number) {
    this.#free = limit
  }

  async run<T>(read: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve))
    try {
      return await read()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
