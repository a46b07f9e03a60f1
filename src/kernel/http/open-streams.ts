import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#kernel/config'
import { Places } from './places.ts'
import { ReadLimit } from './read-limit.ts'
import { whenClosed } from './when-closed.ts'

declare module 'fastify' {
  interface FastifyInstance {
    openStreams: {
      /** The streams of server-sent events, by group. */
      places: Places
      /** For what open streams read, so that many that resume together leave connections to others. */
      reads: ReadLimit
    }
  }
}

export function limitStreams(app: FastifyInstance, { MAX_STREAMS, MAX_STREAMS_PER_GROUP }: Config): void {
  const limits = { what: 'streams', owner: 'group', max: MAX_STREAMS, maxPerOwner: MAX_STREAMS_PER_GROUP }
  app.decorate('openStreams', { places: new Places(limits), reads: new ReadLimit(4) })
}

/** To be called before anything is started for a stream: refuses when too many are open. */
export function admitStream(request: FastifyRequest, reply: FastifyReply, groupId: string): void {
  whenClosed(reply.raw, request.server.openStreams.places.take(groupId))
}
