import { sql, type RawBuilder } from 'kysely'
import { invalidField } from '#kernel/errors'
import type { SpendSubject, Subject } from '../config.ts'
import type { Db } from '../kind.ts'

/** Which rows of the usage sums and of the usage log belong to a subject. */
export function isOf(subject: Subject, groupId: string): RawBuilder<boolean> {
  if (subject.type === 'group') return sql<boolean>`group_id = ${groupId}`
  const rows = {
    api_key: sql`api_key_id = ${subject.id}`,
    // A person is known by the keys that he or she made.
    user: sql`api_key_id in (select id from alerts.api_keys where group_id = ${groupId} and created_by = ${subject.id})`,
    model: sql`model = ${subject.id}`,
    provider: sql`provider = ${subject.id}`,
  }[subject.type]
  return sql<boolean>`group_id = ${groupId} and ${rows}`
}

/** The name for people. */
export async function nameOf(db: Db, groupId: string, subject: SpendSubject): Promise<string> {
  if (subject.type === 'group') return 'the group'
  if (subject.type === 'model' || subject.type === 'provider') return subject.id
  if (subject.type === 'tag') return `the tag "${subject.id}"`
  const found = await findNamed(db, groupId, subject)
  const name = found ?? subject.id
  return subject.type === 'api_key' ? `the key "${name}"` : name
}

/** Keys and people of other groups do not exist. */
export async function checkSubject(db: Db, groupId: string, subject: SpendSubject): Promise<void> {
  if (subject.type !== 'api_key' && subject.type !== 'user') return
  if ((await findNamed(db, groupId, subject)) !== undefined) return
  const what = subject.type === 'api_key' ? 'an API key' : 'a member'
  throw invalidField('config.subject.id', `must be ${what} of this group`)
}

export async function findNamed(
  db: Db,
  groupId: string,
  { type, id }: { type: 'api_key' | 'user'; id: string },
): Promise<string | undefined> {
  const from = type === 'api_key' ? sql`alerts.api_keys` : sql`alerts.members`
  const { rows } = await sql<{ name: string }>`
    select name from ${from} where group_id = ${groupId} and id = ${id}`.execute(db)
  return rows[0]?.name
}
