import type { Member, Role } from '#access/contract'

export const roleNames: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  member: 'Member',
  viewer: 'Viewer',
}

export const roleMeanings: Record<Role, string> = {
  owner: 'Full access, including other owners',
  admin: 'Manages members, keys and settings',
  member: 'Uses Signalbox and creates keys',
  viewer: 'Read-only access',
}

const order: Role[] = ['owner', 'admin', 'member', 'viewer']

/** The roles a user may grant: none above their own. Members and viewers grant none. */
export function grantableRoles(own: Role): Role[] {
  if (own === 'owner') return order
  return own === 'admin' ? order.slice(1) : []
}

export function isOnlyOwner(member: Member, members: readonly Member[]): boolean {
  return (
    member.role === 'owner' &&
    members.every((each) => each.role !== 'owner' || each.user_id === member.user_id)
  )
}

/** Why a member cannot be changed, for the user to read; undefined if it can. */
export function whyFixed(member: Member, members: readonly Member[], own: Role): string | undefined {
  if (!grantableRoles(own).includes(member.role)) return `Only an owner can change an ${member.role}.`
  if (isOnlyOwner(member, members)) return 'The only owner. Make another member an owner first.'
  return undefined
}
