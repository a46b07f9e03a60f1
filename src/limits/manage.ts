import { requireScope, type Membership, type Principal } from '#kernel/auth'
import { Fault, faults, invalidField, notFound } from '#kernel/errors'
import { configActivity } from '#kernel/events'
import { newId } from '#kernel/uuid'
import type { Accounts } from './accounts.ts'
import type { Limit, LimitChange, NewLimit } from './limit-shapes.ts'
import type { LimitsDeps } from './deps.ts'
import { defaultTimeZone, LimitDeleted, toKnown, type KnownLimit } from './limit.ts'
import * as store from './limit-store.ts'
import type { LimitUse, NearEnd } from './alerts/index.ts'
import { capital, nameOf } from './refusal.ts'
import { readSubject, whoseName } from './subject.ts'
import { readAmount, shown, written } from './units.ts'
import { windowAt, type Span } from './windows.ts'

export interface ManageDeps extends LimitsDeps {
  db: store.Db
  accounts: Accounts
  /** A change counts from the next request of this process on, before the notification arrives. */
  reload(): Promise<void>
}

const maxLimits = 1_000

/** The limits of a group: read by its members, set by its admins. */
export function createManage(deps: ManageDeps) {
  const { db, accounts, access, events } = deps

  async function zoneOf(groupId: string): Promise<string> {
    return (await access.timeZones([groupId])).get(groupId) ?? defaultTimeZone
  }

  /** What a body asks for, as it would be stored. */
  async function read(groupId: string, body: NewLimit): Promise<Omit<store.NewLimitRow, 'created_by'>> {
    const { metric, window = null } = body
    if (metric === 'concurrent' && window !== null)
      throw invalidField('window', 'must be left out for "concurrent"')
    if (metric !== 'concurrent' && window === null) throw invalidField('window', 'is missing')
    const amount = readAmount(metric, body.amount)
    const subject = await readSubject(deps, groupId, body.subject)
    return {
      id: newId(),
      group_id: groupId,
      subject_type: subject.type,
      subject_id: subject.id,
      ...{ metric, amount, time_window: window },
      action: body.action ?? 'block',
      on_outage: body.on_outage ?? 'refuse',
      unpriced: body.unpriced ?? 'block',
    }
  }

  async function find(principal: Principal, id: string, scope: 'read' | 'admin'): Promise<store.LimitRow> {
    const row = await store.findLimit(
      db,
      principal.groups.map((group) => group.id),
      id,
    )
    const group = principal.groups.find((candidate) => candidate.id === row?.group_id)
    if (!row || !group) throw notFound('The limit')
    requireScope(principal, group, scope)
    return row
  }

  /** With what is used of each now. */
  async function shownLimits(groupId: string, rows: readonly store.LimitRow[]): Promise<Limit[]> {
    const zone = await zoneOf(groupId)
    const listed = rows.map((row) => {
      const limit = toKnown(row, zone)
      return { row, limit, span: windowAt(limit.window, new Date(), zone) }
    })
    const keys = listed.map(({ row, span }) => ({ limitId: row.id, startsAt: span.startsAt }))
    const known = await store.windowStates(db, keys)
    const missing = listed.filter(({ row }) => !known.has(row.id))
    const deleted = new Set<string>()
    for (const { limit, span } of missing)
      await accounts.ensure(limit, span).catch((error: unknown) => {
        if (!(error instanceof LimitDeleted)) throw error
        deleted.add(limit.id)
      })
    const states = missing.length > 0 ? await store.windowStates(db, keys) : known
    const left = listed.filter(({ row }) => !deleted.has(row.id))
    return left.map(({ row, limit, span }) => toLimit(row, limit, span, states.get(row.id)))
  }

  async function shownLimit(row: store.LimitRow): Promise<Limit> {
    const [shownOne] = await shownLimits(row.group_id, [row])
    if (!shownOne) throw notFound('The limit')
    return shownOne
  }

  /** Those who read see what this process has just served. */
  async function reported(groupId: string): Promise<void> {
    await deps.usage.caughtUp()
    await accounts.report(groupId)
  }

  async function changed(principal: Principal, limit: KnownLimit, what: string): Promise<void> {
    await deps.reload()
    const whose = await whoseName(deps.database, limit).catch(() => undefined)
    events.emit('activity', {
      ...configActivity,
      groupId: limit.groupId,
      by: principal.user?.id ?? null,
      title: `Limit ${what}: ${written(limit.metric, limit.amount)}, ${nameOf(limit, whose)}`,
      metadata: { limit_id: limit.id, api_key_id: principal.key?.id ?? null },
    })
  }

  return {
    /** As the server would keep it, without storing it. */
    async draft(groupId: string, body: NewLimit): Promise<KnownLimit> {
      const zone = await zoneOf(groupId)
      const row = await read(groupId, body)
      const now = new Date()
      const amount = String(row.amount)
      return toKnown({ ...row, amount, created_by: null, created_at: now, updated_at: now }, zone)
    },

    async list(groupId: string): Promise<Limit[]> {
      await reported(groupId)
      const rows = await store.listLimits(db, groupId)
      return shownLimits(groupId, rows)
    },

    async get(principal: Principal, id: string): Promise<Limit> {
      const row = await find(principal, id, 'read')
      await reported(row.group_id)
      return shownLimit(row)
    },

    /** For alerts. */
    async use(groupId: string, id: string): Promise<LimitUse | undefined> {
      const row = await store.findLimit(db, [groupId], id)
      if (!row) return undefined
      const { metric, amount, used, resets_at: resetsAt } = await shownLimit(row)
      const limit = toKnown(row, defaultTimeZone)
      const name = capital(nameOf(limit, await whoseName(deps.database, limit)))
      return {
        name,
        metric,
        amount: String(amount),
        used: String(used),
        resetsAt: resetsAt === null ? null : new Date(resetsAt),
      }
    },

    /** Those of a day and longer of which most is used, the fullest first. What nobody has used has no window yet. */
    async nearEnd(groupId: string): Promise<NearEnd[]> {
      const zone = await zoneOf(groupId)
      const limits = (await store.listLimits(db, groupId)).map((row) => toKnown(row, zone)).filter(isLong)
      const windows = limits.map((limit) => ({ limit, span: windowAt(limit.window, new Date(), zone) }))
      const keys = windows.map(({ limit, span }) => ({ limitId: limit.id, startsAt: span.startsAt }))
      const states =
        keys.length === 0 ? new Map<string, store.WindowState>() : await store.windowStates(db, keys)
      return windows
        .map(({ limit, span }) => toNearEnd(limit, span, BigInt(states.get(limit.id)?.used ?? 0)))
        .filter(({ percent }) => percent >= nearPercent)
        .toSorted((one, other) => other.percent - one.percent)
    },

    async create(principal: Principal, group: Membership, body: NewLimit): Promise<Limit> {
      const values = await read(group.id, body)
      if ((await store.listLimits(db, group.id)).length >= maxLimits)
        throw new Fault(faults.conflict, `A group has at most ${maxLimits} limits. Delete one first.`)
      await deps.usage.caughtUp()
      const row = await store.insertLimit(db, { ...values, created_by: principal.user?.id ?? null })
      await changed(principal, toKnown(row, defaultTimeZone), 'created')
      return shownLimit(row)
    },

    async change(principal: Principal, id: string, { amount, ...change }: LimitChange): Promise<Limit> {
      const before = await find(principal, id, 'admin')
      const units = amount === undefined ? {} : { amount: String(readAmount(before.metric, amount)) }
      const update = { ...change, ...units }
      if (Object.keys(update).length === 0)
        throw invalidField('amount', 'is missing: there is nothing to change')
      const row = await store.updateLimit(db, id, update)
      if (!row) throw notFound('The limit')
      await changed(principal, toKnown(row, defaultTimeZone), 'changed')
      await reported(row.group_id)
      return shownLimit(row)
    },

    async remove(principal: Principal, id: string): Promise<void> {
      const row = await find(principal, id, 'admin')
      await store.deleteLimit(db, id)
      await changed(principal, toKnown(row, defaultTimeZone), 'deleted')
    },
  }
}

export type Manage = ReturnType<typeof createManage>

const nearPercent = 80
/** A limit of 0 is meant to refuse, and one of a minute or an hour is soon there again. */
const isLong = ({ amount, window }: KnownLimit): boolean =>
  amount > 0n && window !== null && window !== 'minute' && window !== 'hour'

const toNearEnd = (
  { id, metric, amount, window, subject }: KnownLimit,
  { endsAt }: Span,
  used: bigint,
): NearEnd => ({
  ...{ id, subject, metric, window },
  percent: Number((used * 100n) / amount),
  used: String(shown(metric, used)),
  amount: String(shown(metric, amount)),
  resetsAt: endsAt,
})

function toLimit(
  row: store.LimitRow,
  { metric, window, amount, subject }: KnownLimit,
  span: Span,
  state: store.WindowState | undefined,
): Limit {
  const isEndless = window === null || window === 'total'
  const reserved = BigInt(state?.reserved ?? 0)
  return {
    ...{ id: row.id, group_id: row.group_id, subject, metric, window },
    amount: shown(metric, amount),
    ...{ action: row.action, on_outage: row.on_outage, unpriced: row.unpriced },
    used: shown(metric, metric === 'concurrent' ? reserved : BigInt(state?.used ?? 0)),
    reserved: shown(metric, reserved),
    starts_at: isEndless ? null : span.startsAt.toISOString(),
    resets_at: span.endsAt?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
