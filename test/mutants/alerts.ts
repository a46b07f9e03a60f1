import type { Mutant } from './mutant.ts'

const folder = 'src/limits/alerts'
const api = [`${folder}/alerts.test.ts`]
const kinds = ['test/alerts/kinds.test.ts']
const events = ['test/alerts/events.test.ts']

export const alertMutants: readonly Mutant[] = [
  {
    guard: 'alerts: only admins change them',
    file: `${folder}/alerts.ts`,
    text: "requireScope(principal, group, 'admin')",
    replacement: '',
    tests: api,
    name: 'members read alerts',
  },
  {
    guard: 'alerts: a subject is of the group',
    file: `${folder}/alerts.ts`,
    text: 'if (config.subject) await checkSubject(db, groupId, config.subject)',
    replacement: '',
    tests: api,
    name: 'a config that its kind cannot use',
  },
  {
    guard: 'alerts: channels are of the group',
    file: `${folder}/alerts.ts`,
    text: 'if (!ids.every((id) => known.has(id)))',
    replacement: 'if (false)',
    tests: api,
    name: 'a config that its kind cannot use',
  },
  {
    guard: 'alerts: only the first group hears of the installation',
    file: `${folder}/alerts.ts`,
    text: 'kinds[kind].isOfInstallation && ',
    replacement: 'false && ',
    tests: api,
    name: 'only the first group',
  },
  {
    guard: 'alerts: a thing that cannot come back fires once',
    file: `${folder}/evaluate.ts`,
    text: 'kind.isOnce ? await knownThings(transaction, id, things)',
    replacement: 'kind.isOnce ? new Set<string>()',
    tests: kinds,
    name: 'each percentage fires once',
  },
  {
    guard: 'alerts: a provider at the mark does not flap',
    file: `${folder}/kinds/provider.ts`,
    text: 'const overAt = 0.7',
    replacement: 'const overAt = 1',
    tests: kinds,
    name: 'a provider that fails',
  },
  {
    guard: 'alerts: a key that nobody uses is not repaired',
    file: `${folder}/kinds/provider-key.ts`,
    text: 'open.has(thing) ? !works :',
    replacement: '',
    tests: kinds,
    name: 'a provider key that is refused',
  },
  {
    guard: 'alerts: what could not be sent is sent later',
    file: `${folder}/tell.ts`,
    text: "if (firing.told_at === null) await send(alert, firing, 'firing')",
    replacement: "if (firing.told_at === null) await send(alert, firing, 'firing').catch(() => undefined)",
    tests: events,
    name: 'could not be sent',
  },
  {
    guard: 'alerts: nobody makes up an event of an alert',
    file: 'src/kernel/events/activity.ts',
    text: "activityTypes.filter((type) => type !== 'system')",
    replacement: 'activityTypes.filter(() => true)',
    tests: events,
    name: 'nobody can make up',
  },
]
