import type { FastifyRequest } from 'fastify'
import type { Membership } from '#kernel/auth'
import { principalOf } from '#kernel/http'

/** Who changes an initiative. */
export interface Author {
  userId: string | null
  /** The name of the person or of the API key. */
  name: string
}

export function authorOf(request: FastifyRequest): Author {
  const { user, key } = principalOf(request)
  return { userId: user?.id ?? null, name: key?.name ?? user?.name ?? 'the owner' }
}

export interface InGroup {
  group: Membership
  author: Author
}
