import type { Mutant } from './mutant.ts'

const attention = { tests: ['src/attention/attention.test.ts'] }

export const attentionMutants: readonly Mutant[] = [
  {
    guard: 'attention: people see what their role can deal with',
    file: 'src/attention/index.ts',
    ...attention,
    text: 'source.roles?.includes(group.role) ?? true',
    replacement: 'true',
  },
  {
    guard: 'attention: only who has the scope of the page',
    file: 'src/attention/index.ts',
    ...attention,
    text: 'if (!scopesIn(principal, group).has(source.needs)) return false',
    replacement: '',
  },
  {
    guard: 'attention: a thing is counted once, with its notifications',
    file: 'src/notifications/bell-store.ts',
    ...attention,
    text: 'otherThan.length === 0',
    replacement: 'true',
  },
]
