import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Membership } from '#kernel/auth'
import { notFound } from '#kernel/errors'
import { groupOf, principalOf } from '#kernel/http'
import type { Log } from '#kernel/log'
import type { Author } from './record-kind.ts'
import type { Page, RecordRow } from './record-store.ts'
import { groupId } from '#kernel/paging'
import { rowJson } from '#kernel/rows'

export const inGroupQuery = z.object(groupId)

/** The group of a request that names a record. For somebody without a group no record exists. */
export function groupFor(request: FastifyRequest, what: string): Membership {
  if (principalOf(request).groups.length === 0) throw notFound(what)
  return groupOf(request)
}

export function authorIn(request: FastifyRequest, group: Membership): Author {
  const { user, key } = principalOf(request)
  return { groupId: group.id, userId: user?.id ?? null, name: key?.name ?? user?.name ?? null }
}

export const toPage = ({ rows, nextCursor }: Page<object>): never =>
  ({ data: rows.map((row) => rowJson(row)), next_cursor: nextCursor }) as never

/** A row that does not have the shape of its records, which only SQL can write, is left out: others are still shown. */
export function toShownPage(page: Page<RecordRow>, shape: z.ZodType, log: Log): never {
  const rows = page.rows.filter((row) => {
    const { success, error } = shape.safeParse(rowJson(row))
    if (!success) log.warn({ record: row.id, reason: error.message }, 'a record cannot be shown')
    return success
  })
  return toPage({ ...page, rows })
}
