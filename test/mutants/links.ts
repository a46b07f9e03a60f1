import type { Mutant } from './mutant.ts'

const links = { tests: ['src/links/links.test.ts'] }
const costs = { tests: ['src/links/cost/costs.test.ts'] }

export const linkMutants: readonly Mutant[] = [
  {
    guard: 'links: a thing of another group does not exist',
    file: 'src/links/things/things.ts',
    ...links,
    text: 'if (found.length === 0) throw notFound(names[ref.type])',
    replacement: '',
    name: 'another group',
  },
  {
    guard: 'links: a link that follows from an ID is not removed',
    file: 'src/links/links.ts',
    ...links,
    text: "if (how !== 'person')\n        throw",
    replacement: "if (how === 'inferred')\n        throw",
    name: 'a person links two things',
  },
  {
    guard: 'links: a dismissed link is not shown',
    file: 'src/links/link-store.ts',
    ...links,
    text: 'where group_id = ${groupId} and dismissed_at is null',
    replacement: 'where group_id = ${groupId}',
    name: 'a dismissed link',
  },
  {
    guard: 'links: what no longer holds is deleted',
    file: 'src/links/find/find-store.ts',
    ...links,
    text: 'and not exists (',
    replacement: 'and exists (',
    name: 'what a thing says changes its links',
  },
  {
    guard: 'links: the remainder of a division is not lost',
    file: 'src/links/cost/cost-store.ts',
    ...costs,
    text: 'case when place = 1 then cost - n * trunc(cost / n, 12) else 0 end',
    replacement: '0',
    name: 'exact, inferred and shared',
  },
  {
    guard: 'links: a request with a link of its own is counted once',
    file: 'src/links/cost/cost-store.ts',
    ...costs,
    text: 'and r.id not in (select request from named)',
    replacement: '',
    name: 'counts for that thing alone',
  },
]
