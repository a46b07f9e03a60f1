import type { AttentionSource, AttentionThing } from '#kernel/attention'
import type { Person } from '#kernel/auth'
import { ReadCache } from '#kernel/cache'
import { isDatabaseDown } from '#kernel/db'
import { Fault, faults } from '#kernel/errors'

type Things = ReadonlyMap<string, readonly AttentionThing[]>

const maxGroups = 1_000

/**
 * What the sources find, kept for seconds: every page of everybody in a group asks. What depends on the person is kept
 * apart from what the group has in common.
 */
export function createFound(sources: readonly AttentionSource[]) {
  const ofGroup = cache('attention', (groupId) =>
    readAll(sources, async ({ find }) => (await find?.(groupId)) ?? []),
  )
  const ofPerson = cache('attention_of_person', (key) => {
    const { groupId, person } = JSON.parse(key) as { groupId: string; person: Person }
    return readAll(sources, async ({ findFor }) => (await findFor?.(groupId, person)) ?? [])
  })

  async function found(groupId: string, person: Person | null): Promise<Things> {
    const [common, own] = await Promise.all([
      ofGroup.get(groupId),
      person && ofPerson.get(JSON.stringify({ groupId, person })),
    ])
    return new Map([...(common ?? []), ...(own ?? [])])
  }
  return Object.assign(found, {
    forget(): void {
      ofGroup.invalidate()
      ofPerson.invalidate()
    },
  })
}

const cache = (name: string, read: (key: string) => Promise<Things>) =>
  new ReadCache<Things>({
    ...{ name, max: maxGroups, read, isOutage: isDatabaseDown },
    unavailable: (cause) => new Fault(faults.unavailable, 'The database is unavailable.', { cause }),
  })

/** One after the other: many connections at once would be taken from requests. */
async function readAll(
  sources: readonly AttentionSource[],
  ask: (source: AttentionSource) => Promise<readonly AttentionThing[]>,
): Promise<Things> {
  const all = new Map<string, readonly AttentionThing[]>()
  for (const source of sources) {
    const things = await ask(source)
    if (things.length > 0) all.set(source.kind, things)
  }
  return all
}
