import type { Mutant } from './mutant.ts'

const limits = ['src/limits/limits.test.ts']
const crash = ['src/limits/crash.test.ts']
const grant = { file: 'src/limits/grant.ts', tests: ['src/limits/grant.test.ts'] }
const leases = { file: 'src/limits/lease-store.ts', tests: crash }
const late = { file: 'src/limits/lease-store.ts', tests: ['src/limits/late-reports.test.ts'] }

export const limitMutants: readonly Mutant[] = [
  {
    guard: 'limits: a request that does not fit goes alone',
    ...grant,
    text: 'held === 0n && leased === 0n && used < amount',
    replacement: 'used < amount',
    name: 'only when nobody else holds anything',
  },
  {
    guard: 'limits: what other processes hold is not given away',
    ...grant,
    text: 'const room = amount - used - leased',
    replacement: 'const room = amount - used',
    name: 'only when nobody else holds anything',
  },
  {
    guard: 'limits: what may just be taken is kept',
    ...grant,
    text: 'return wanted > kept ? wanted : kept',
    replacement: 'return wanted',
    name: 'what may just be taken',
  },
  {
    guard: 'limits: a report counts once',
    ...leases,
    text: 'const isNew = own?.report !== String(report.number)',
    replacement: 'const isNew = true',
    name: 'counts once',
  },
  {
    guard: 'limits: a report of a lost lease is left to the usage log',
    ...leases,
    text: 'const isLost = request.hadLease && !own',
    replacement: 'const isLost = false',
    name: 'taken for dead',
  },
  {
    guard: 'limits: a late report adds nothing to what the row has from the usage log',
    ...late,
    text: 'countedTo !== null && endedFrom < countedTo.getTime()',
    replacement: 'countedTo === undefined',
    name: 'reports later counts once',
  },
  {
    guard: 'limits: what a late report leaves to the usage log is counted again',
    ...late,
    text: 'if (left.length > 0)',
    replacement: 'if (left === spent)',
    name: 'not in the usage log yet',
  },
  {
    guard: 'limits: a new row leaves what ended a moment ago to the reports',
    file: 'src/limits/accounts.ts',
    text: 'stepOf(now - lateMs)',
    replacement: 'stepOf(now + lateMs)',
    name: 'what several replicas spent in the last minute',
    tests: late.tests,
  },
  {
    guard: 'limits: a new row counts nothing that will be reported',
    file: 'src/limits/accounts.ts',
    text: 'limit.createdAt > countedTo ? limit.createdAt : countedTo',
    replacement: 'new Date(now)',
    name: 'what several replicas spent in the last minute',
    tests: late.tests,
  },
  {
    guard: 'limits: a database that says nothing is told from one that says no',
    file: 'src/limits/account.ts',
    text: "waiter.isNew ? 'outage' : 'busy'",
    replacement: "'busy'",
    name: 'a database that says nothing',
    tests: ['src/limits/outage.test.ts'],
  },
  {
    guard: 'limits: a stop asks the database once for all limits',
    file: 'src/limits/accounts.ts',
    text: 'if (this.#isStopping) return',
    replacement: 'if (this.#known.size === 0) return',
    name: 'one limit after the other',
    tests: ['src/limits/accounts.test.ts'],
  },
  {
    guard: 'limits: who slept lets others beat before it takes them for dead',
    file: 'src/limits/accounts.ts',
    text: 'gapMs > 3 * beatMs',
    replacement: 'gapMs < 0',
    name: 'who slept',
    tests: ['src/limits/asleep.test.ts'],
  },
  {
    guard: 'limits: models without a price are refused under a budget',
    file: 'src/limits/reservations.ts',
    text: "if (need === null && limit.unpriced === 'block' && limit.action === 'block')",
    replacement: 'if (need === null && limit.id === call.model)',
    name: 'without a price',
    tests: limits,
  },
  {
    guard: 'limits: only admins change them',
    file: 'src/limits/manage.ts',
    text: 'requireScope(principal, group, scope)',
    replacement: "requireScope(principal, group, 'read')",
    name: 'admins set them',
    tests: limits,
  },
  {
    guard: 'limits: the subject belongs to the group',
    file: 'src/limits/subject.ts',
    text: '!(await access.hasKey(groupId, id))',
    replacement: '!access',
    name: 'refused with the field',
    tests: limits,
  },
  {
    guard: 'limits: a first burst reserves what a model can write',
    file: 'src/limits/estimate.ts',
    text: 'usual.outputOf(model) ?? ceiling() ?? unknownCeiling',
    replacement: 'usual.outputOf(model) ?? 100',
    name: 'a first burst',
    tests: ['src/limits/races.test.ts'],
  },
  {
    guard: 'limits: a client cannot reserve more than a model writes',
    file: 'src/limits/estimate.ts',
    text: 'Math.min(maxOutputTokens, ceiling() ?? maxOutput)',
    replacement: 'maxOutputTokens',
    name: 'a client that allows a response of any length',
    tests: ['src/limits/races.test.ts'],
  },
]
