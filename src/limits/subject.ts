import type { Database } from '#kernel/db'
import { invalidField } from '#kernel/errors'
import { isUuid } from '#kernel/uuid'
import { findNamed } from './alerts/kinds/subject.ts'
import type { NewLimit, SubjectType } from './limit-shapes.ts'
import type { LimitsDeps } from './deps.ts'
import { labelPrefix } from './ledger.ts'
import type { KnownLimit } from './limit.ts'

const maxName = 300
const maxTag = 64

/** Checks whom a new limit is for, and returns it as it is stored. */
export async function readSubject(
  { access, resolveProvider }: Pick<LimitsDeps, 'access' | 'resolveProvider'>,
  groupId: string,
  { type, id }: NewLimit['subject'],
): Promise<{ type: SubjectType; id: string | null }> {
  const path = 'subject.id'
  if (type === 'group') {
    if (id !== undefined && id !== null)
      throw invalidField(path, 'must be left out: the subject is the group itself')
    return { type, id: null }
  }
  if (id === undefined || id === null) throw invalidField(path, 'is missing')
  if (type === 'api_key') {
    if (!isUuid(id) || !(await access.hasKey(groupId, id)))
      throw invalidField(path, 'must be the ID of an API key of this group')
    return { type, id: id.toLowerCase() }
  }
  if (type === 'user' && !id.startsWith(labelPrefix)) {
    if (!isUuid(id) || !(await access.isMember(groupId, id)))
      throw invalidField(
        path,
        'must be the ID of a member of this group, or label: and the "user" of requests',
      )
    return { type, id: id.toLowerCase() }
  }
  if (type === 'provider') {
    const provider = resolveProvider(groupId, id)
    if (provider === undefined) throw invalidField(path, 'must be the ID of a provider')
    return { type, id: provider }
  }
  if (type === 'tag' && (id.length > maxTag || id.includes(',') || id.trim() !== id))
    throw invalidField(path, `must be one tag of at most ${maxTag} characters`)
  if (type === 'model' && id.split('*').length > 5) throw invalidField(path, 'has at most four "*"')
  if (id === labelPrefix) throw invalidField(path, 'has no label')
  if (id.length > maxName) throw invalidField(path, `has at most ${maxName} characters`)
  return { type, id }
}

/** Whose limit it is, for people who read of it elsewhere; undefined where there is nothing to look up. */
export async function whoseName(
  database: Pick<Database, 'tables'>,
  { groupId, subject: { type, id } }: KnownLimit,
): Promise<string | undefined> {
  if (id === null || (type !== 'api_key' && type !== 'user')) return undefined
  if (id.startsWith(labelPrefix)) return `the user “${id.slice(labelPrefix.length)}”`
  const name = (await findNamed(database.tables(), groupId, { type, id })) ?? id
  return type === 'api_key' ? `the key “${name}”` : name
}
