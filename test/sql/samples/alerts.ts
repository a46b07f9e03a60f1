import * as alerts from '../../../src/limits/alerts/alert-store.ts'
import * as firings from '../../../src/limits/alerts/firing-store.ts'
import { kinds } from '../../../src/limits/alerts/kinds/index.ts'
import { saveBackup } from '../../../src/limits/alerts/kinds/installation.ts'
import { checkSubject } from '../../../src/limits/alerts/kinds/subject.ts'
import { explain } from '../../../src/limits/alerts/kinds/anomaly.ts'
import { largestSince } from '../../../src/limits/alerts/kinds/spend.ts'
import { configs } from '../../../src/limits/alerts/config.ts'
import { createRecommend } from '../../../src/limits/alerts/recommend.ts'
import { alertKinds } from '../../../src/limits/alerts/shapes.ts'
import type { AlertTables } from '../../../src/limits/alerts/tables.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const subjects = [
  { type: 'group' },
  { type: 'api_key', id },
  { type: 'user', id },
  { type: 'model', id: 'model' },
  { type: 'provider', id: 'provider' },
  { type: 'tag', id: 'tag' },
] as const

/** What a kind needs beyond its defaults, and filters that are not always given. */
const given: Record<string, object> = {
  spend: { window: 'day', amount: '10' },
  budget: { limit_id: id },
  provider_latency: { p95_ms: 1_000 },
}
const filtered = {
  provider_latency: { p95_ms: 1_000, metric: 'duration' },
  service_down: { services: ['shop'] },
  run_failed: { agents: ['agent'] },
  deployment_failed: { services: ['shop'], environments: ['production'] },
}

/** A kind sends one query where it finds nothing, but for these. */
const queriesOf: Record<string, number> = { budget: 0, anomaly: 2, disk: 2 }

/** The stores of alerts, which live within the part `limits`. */
export const sampleAlerts: Sample = async ({ tables, answer }) => {
  const db = tables<AlertTables>()
  const alert = { id, group_id: id, name: 'name', kind: 'disk', config: {}, severity: 'info' } as const
  await alerts.insertAlert(db, { ...alert, channels: [], is_active: true, created_by: id })
  answer([{ count: '1' }])
  await alerts.countAlerts(db, id)
  await alerts.listAlerts(db, id)
  await alerts.findAlert(db, [id], id)
  await alerts.updateAlert(db, id, { name: 'name', config: {}, is_active: true })
  await alerts.deleteAlert(db, id)
  await alerts.activeAlerts(db, undefined)
  await alerts.activeAlerts(db, { groupId: id, kinds: ['disk'] })
  await alerts.readWanted(db)

  await firings.openFirings(db, id)
  await firings.firingAlerts(db, id, ['disk'])
  await firings.knownThings(db, id, ['thing'])
  await firings.lockAlert(db, id)
  const times = {
    fired_at: at,
    ended_at: null,
    end_title: null,
    end_text: null,
    told_at: null,
    end_told_at: null,
  }
  const firing = {
    id,
    alert_id: id,
    group_id: id,
    thing: 'thing',
    title: 't',
    text: 't',
    path: '/',
    data: {},
  }
  await firings.insertFirings(db, id, [{ ...firing, ...times }], at)
  await firings.endFiring(db, id, { ended_at: at, end_title: 't', end_text: 't', end_told_at: null })
  await firings.takeUntold(db, id)
  await firings.markTold(db, id, { told_at: at, end_told_at: null })
  await firings.deleteOldFirings(db, at)

  const sources = {
    limitUse: async () => undefined,
    hasPrice: () => true,
    disk: async () => ({ host: 'host', freeBytes: 1, totalBytes: 2 }),
  }
  const question = { db, groupId: id, now: at, since: at, open: new Set<string>(), sources }
  const find = (kind: (typeof alertKinds)[number], config: object) =>
    kinds[kind].find(question, configs[kind].parse(config) as never)
  for (const kind of alertKinds.filter((each) => each !== 'spend')) {
    answer(...Array.from({ length: queriesOf[kind] ?? 1 }, () => []))
    await find(kind, given[kind] ?? {})
  }
  for (const [kind, config] of Object.entries(filtered)) {
    answer([])
    await find(kind as 'service_down', config)
  }
  for (const subject of subjects) {
    const names = subject.type === 'api_key' || subject.type === 'user' ? [[{ name: 'name' }]] : []
    // Of a tag nothing says who caused it.
    const largest = subject.type === 'tag' ? [] : [[]]
    answer([{ start: at, day: '2026-11-18' }], [{ cost: '20', isOver: true }], ...names, ...largest)
    await find('spend', { ...given['spend'], subject })
  }
  answer([{ name: 'name' }])
  await checkSubject(db, id, { type: 'api_key', id })
  answer([{ name: 'name' }])
  await checkSubject(db, id, { type: 'user', id })
  answer([], [])
  await largestSince(db, id, { type: 'group' }, at)
  await explain(db, id, { type: 'group' }, at.getTime())
  answer([{ finished_at: at, error: null }])
  await kinds.backup_failed.find(question, configs.backup_failed.parse({}) as never)
  await saveBackup(db, null)
  answer([], [], [], [])
  await createRecommend({ db, sources, firstGroup: async () => id, now: () => at })(id)
}
