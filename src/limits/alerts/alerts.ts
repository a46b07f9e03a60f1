import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { requireScope, type Membership, type Principal } from '#kernel/auth'
import { Fault, faults, invalidField, notFound } from '#kernel/errors'
import { configActivity, type Events } from '#kernel/events'
import * as store from './alert-store.ts'
import { configs, type ConfigOf, type SpendSubject } from './config.ts'
import type { Evaluate } from './evaluate.ts'
import type { Db, Sources } from './kind.ts'
import { kinds } from './kinds/index.ts'
import { checkSubject } from './kinds/subject.ts'
import { maxAlerts, type AlertBody, type AlertChange, type AlertKind } from './shapes.ts'

export interface AlertsDeps {
  db: Db
  events: Events
  evaluate: Evaluate
  sources: Sources
  /** The channels of a group. */
  channelIds(groupId: string): Promise<ReadonlySet<string>>
  firstGroup(): Promise<string>
  /** This process's own changes count for its next event, before the notification arrives. */
  onChange(): Promise<void>
}

/** The alerts of a group: read by its members, made and changed by its admins. */
export function createAlertList(deps: AlertsDeps) {
  const { db, events, evaluate, sources } = deps

  async function find(principal: Principal, id: string): Promise<store.ListedAlert> {
    const groupIds = principal.groups.map((group) => group.id)
    const row = await store.findAlert(db, groupIds, id)
    if (!row) throw notFound('The alert')
    return row
  }

  /** Alerts of other groups return 404; those of the caller's groups are changed by admins. */
  async function findToChange(principal: Principal, id: string): Promise<store.ListedAlert> {
    const row = await find(principal, id)
    const group = principal.groups.find((candidate) => candidate.id === row.group_id)
    if (!group) throw notFound('The alert')
    requireScope(principal, group, 'admin')
    return row
  }

  async function readConfig(groupId: string, kind: AlertKind, given: unknown): Promise<object> {
    const read = z.safeParse(configs[kind], given)
    if (!read.success) throw configFault(read.error)
    const config = read.data as object & { subject?: SpendSubject }
    if (config.subject) await checkSubject(db, groupId, config.subject)
    if (kind === 'budget') {
      const { limit_id: limitId } = config as ConfigOf<'budget'>
      if (!(await sources.limitUse(groupId, limitId)))
        throw invalidField('config.limit_id', 'must be a limit of this group')
    }
    return config
  }

  async function checkChannels(groupId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const known = await deps.channelIds(groupId)
    if (!ids.every((id) => known.has(id))) throw invalidField('channels', 'must be channels of this group')
  }

  /** What it would say is known at once, not only a minute later. */
  async function evaluated(principal: Principal, id: string, what: string): Promise<store.ListedAlert> {
    await deps.onChange()
    const row = await find(principal, id)
    announce(principal, row, what)
    if (!row.is_active) return row
    await evaluate.all([row])
    return find(principal, id)
  }

  function announce(principal: Principal, row: store.AlertRow, what: string): void {
    events.emit('activity', {
      ...configActivity,
      groupId: row.group_id,
      by: principal.user?.id ?? null,
      title: `Alert "${row.name}" ${what}`,
      metadata: { alert_id: row.id, kind: row.kind, api_key_id: principal.key?.id ?? null },
    })
  }

  return {
    find,
    list: (groupId: string) => store.listAlerts(db, groupId),

    async create(principal: Principal, group: Membership, body: AlertBody): Promise<store.ListedAlert> {
      const { kind, name, channels = [] } = body
      if (kinds[kind].isOfInstallation && group.id !== (await deps.firstGroup()))
        throw invalidField('kind', 'concerns the whole installation; only the first group can have it')
      const config = await readConfig(group.id, kind, body.config ?? {})
      await checkChannels(group.id, channels)
      if ((await store.countAlerts(db, group.id)) >= maxAlerts)
        throw new Fault(faults.conflict, `A group has at most ${maxAlerts} alerts. Delete one first.`)
      const id = randomUUID()
      await store.insertAlert(db, {
        ...{ id, name, kind, channels },
        group_id: group.id,
        config: { ...config },
        severity: body.severity ?? kinds[kind].severity,
        is_active: body.is_active ?? true,
        created_by: principal.user?.id ?? null,
      })
      return evaluated(principal, id, 'created')
    },

    async change(principal: Principal, id: string, change: AlertChange): Promise<store.ListedAlert> {
      const before = await findToChange(principal, id)
      const { config: given, ...rest } = change
      const config = given && (await readConfig(before.group_id, before.kind, given))
      await checkChannels(before.group_id, change.channels ?? [])
      const fields = Object.entries(rest).filter(([, value]) => value !== undefined)
      await store.updateAlert(db, id, {
        ...Object.fromEntries(fields),
        ...(config && { config: { ...config } }),
      })
      if (change.is_active === false) await evaluate.end({ ...before, ...rest } as store.AlertRow)
      return evaluated(principal, id, 'changed')
    },

    async remove(principal: Principal, id: string): Promise<void> {
      const row = await findToChange(principal, id)
      // What fired again before it is gone would never end.
      await store.updateAlert(db, id, { is_active: false })
      await evaluate.end(row)
      if (!(await store.deleteAlert(db, id))) throw notFound('The alert')
      await deps.onChange()
      announce(principal, row, 'deleted')
    },
  }
}

export type AlertList = ReturnType<typeof createAlertList>

/** The first field that is wrong, as those of a body are reported. */
function configFault(error: z.ZodError): Fault {
  const [issue] = error.issues
  const path = ['config', ...(issue?.path ?? [])].join('.')
  if (issue?.code === 'unrecognized_keys') return invalidField(`${path}.${issue.keys[0]}`, 'is not known')
  return invalidField(path, issue?.message ?? 'is not valid')
}
