import type { Author } from '#initiatives'
import type { Role } from '#kernel/auth'
import { Fault, faults, invalidField } from '#kernel/errors'
import type { SessionRow } from './tables.ts'

/** A stand-up is one to one: the person who started it speaks, and those whom that person invites. */
export function maySpeak({ started_by, invited }: SessionRow, { userId }: Author): boolean {
  // The person who started it has no account any more: others may finish it.
  if (started_by === null) return true
  return userId === started_by || invited.some(({ user_id }) => user_id === userId)
}

export function checkSpeaker(session: SessionRow, author: Author): void {
  if (maySpeak(session, author)) return
  const starter = session.started_by_name ?? 'The person who started it'
  throw new Fault(
    faults.forbidden,
    `${starter} holds this stand-up. You can read along; to speak, ask ${starter} to invite you.`,
  )
}

/** Admins may also end a stand-up that somebody left open. */
export function checkEnder(session: SessionRow, author: Author, role: Role): void {
  if (role !== 'owner' && role !== 'admin') checkSpeaker(session, author)
}

export interface Member {
  user_id: string
  name: string
  role: Role
}

const maxInvited = 20

/** Who may speak once the member is invited. */
export function withInvited(
  { invited, started_by }: SessionRow,
  members: readonly Member[],
  userId: string,
): SessionRow['invited'] {
  const member = members.find(({ user_id }) => user_id === userId)
  if (!member || member.role === 'viewer')
    throw invalidField('user_id', 'must be a member, admin or owner of the group')
  if (userId === started_by || invited.some(({ user_id }) => user_id === userId)) return invited
  if (invited.length >= maxInvited)
    throw new Fault(faults.conflict, `A stand-up has at most ${maxInvited} guests.`)
  return [...invited, { user_id: userId, name: member.name }]
}
