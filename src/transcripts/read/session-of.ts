import type { FastifyRequest } from 'fastify'
import type pg from 'pg'
import { z } from 'zod'
import { notFound } from '#kernel/errors'
import { groupOf, principalOf } from '#kernel/http'
import { findSession, type SessionRow } from '../store/read-store.ts'
import { groupNo } from '../store/source-store.ts'

export const sessionId = z.object({
  id: z.uuid().meta({
    description: 'The id of the session.',
    examples: ['0198c0de-7a3b-7c1d-9e2f-5a6b7c8d9e0f'],
  }),
})

/** A session of the caller's group. For somebody without a group none exists. */
export async function sessionOf(
  pool: pg.Pool,
  request: FastifyRequest,
  id: string,
): Promise<{ groupId: string; session: SessionRow }> {
  if (principalOf(request).groups.length === 0) throw notFound('The session')
  const group = groupOf(request)
  const no = await groupNo(pool, group.id)
  const session = no === null ? undefined : await findSession(pool, no, id)
  if (session === undefined) throw notFound('The session')
  return { groupId: group.id, session }
}
