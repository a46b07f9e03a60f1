import { requireScope, type Membership, type Principal } from '#kernel/auth'
import { notFound } from '#kernel/errors'

/** What lies in a foreign group does not exist; what lies in one's own is changed by its admins. */
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

/** Who did it, for events. */
export function actor(principal: Principal, groupId: string) {
  return { groupId, by: principal.user?.id ?? null, apiKeyId: principal.key?.id ?? null }
}
