import type { Mutant } from './mutant.ts'

const cost = ['src/initiatives/cost.test.ts']

export const initiativeMutants: readonly Mutant[] = [
  {
    guard: "initiatives: another group's transcript is none that the cost counts",
    file: 'src/transcripts/store/read-store.ts',
    text: 'where g.group_id = $1 and s.id = any($2::uuid[])',
    replacement: 'where $1::uuid is not null and s.id = any($2::uuid[])',
    tests: cost,
    name: "another group's transcript",
  },
  {
    guard: "initiatives: the cost of another group's initiative is not shown",
    file: 'src/initiatives/store/initiative-store.ts',
    text: ".where('group_id', '=', groupId)\n    .where(isUuid(",
    replacement: '.where(isUuid(',
    tests: cost,
    name: "another group's transcript",
  },
  {
    guard: 'initiatives: a request that belongs to two linked sessions counts once',
    file: 'src/usage/log/sessions.ts',
    text: 'return sumRequests(db, groupId, keys)',
    replacement: 'return sumSessions(db, groupId, keys)',
    tests: ['src/usage/log/sessions.test.ts'],
    name: 'count a request once',
  },
]
