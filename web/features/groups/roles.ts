import type { Member, Role } from '#access/contract'

export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
  viewer: 'Viewer',
}

export const roleMeanings: Record<Role, string> = {
  owner: 'Everything, and deciding who else is an owner',
  admin: 'Manages people, keys and settings',
  member: 'Works with the box and makes keys',
  viewer: 'Looks, changes nothing',
}

const order: Role[] = ['owner', 'admin', 'member', 'viewer']

/** The roles somebody may hand out: none above their own. Members and viewers hand out none. */
export function rolesToGive(own: Role): Role[] {
  if (own === 'owner') return order
  return own === 'admin' ? order.slice(1) : []
}

export function isOnlyOwner(member: Member, members: readonly Member[]): boolean {
  return (
    member.role === 'owner' &&
    members.every((each) => each.role !== 'owner' || each.user_id === member.user_id)
  )
}

/** Why somebody's place in the group cannot be changed, in words for the reader; undefined when it can. */
export function whyFixed(member: Member, members: readonly Member[], own: Role): string | undefined {
  if (!rolesToGive(own).includes(member.role)) return `Only an owner may change an ${member.role}.`
  if (isOnlyOwner(member, members)) return 'The only owner. Make somebody else an owner first.'
  return undefined
}
