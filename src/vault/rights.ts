import { requireScope, type Membership, type Principal } from '#kernel/auth'
import { notFound } from '#kernel/errors'

/** Rows of other groups return 404; those of the caller's groups can be changed by admins. */
export function requireAdminOf(
  principal: Principal,
  row: { group_id: string } | undefined,
  what: string,
): Membership {
  const group = principal.groups.find((candidate) => candidate.id === row?.group_id)
  if (!group) throw notFound(what)
  requireScope(principal, group, 'admin')
  return group
}

export const groupIds = (principal: Principal): string[] => principal.groups.map((group) => group.id)

/** The user who did it, for events. */
export function actor(principal: Principal, groupId: string) {
  return { groupId, by: principal.user?.id ?? null, apiKeyId: principal.key?.id ?? null }
}
