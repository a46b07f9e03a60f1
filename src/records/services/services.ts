import { sql } from 'kysely'
import type { Config } from '#kernel/config'
import { Fault, faults } from '#kernel/errors'
import { configActivity } from '#kernel/events'
import { newId } from '#kernel/uuid'
import {
  createRecordKind,
  type Action,
  type RecordActivity,
  type RecordDeps,
  type RecordKind,
} from '../record-kind.ts'
import {
  equals,
  insertRecord,
  isOneOf,
  type DbTransaction,
  type RecordTable,
  type Values,
} from '../record-store.ts'
import { service, type ServiceChange, type ServiceInput, type ServiceQuery } from '../shapes/services.ts'
import { checkTarget } from './address.ts'
import type { ServiceRow } from './check-store.ts'

const table: RecordTable = {
  name: 'records.services',
  columns: [...Object.keys(service.shape), 'failures', 'passes'],
  sortBy: 'created_at',
}

export interface ServicesDeps extends RecordDeps {
  config: Config
  /** A service may be due now, or the status page may show something else. */
  changed(): void
}

export interface Services extends RecordKind<ServiceRow, ServiceInput, ServiceChange, ServiceQuery> {
  /** Plans a check for now. */
  checkNow(groupId: string, id: string): Promise<void>
}

export function createServices(deps: ServicesDeps): Services {
  const { db, config, changed } = deps
  const kind = createRecordKind<ServiceRow, ServiceChange, ServiceQuery>(deps, {
    table,
    what: 'The service',
    conditions: (query) => [equals('name', query.name), isOneOf('state', query.state)],
    async apply(change, before, transaction) {
      const after = { ...before, ...change } as ServiceRow
      checkTarget(after, config)
      return { ...change, ...(await replan(transaction, before, after)) }
    },
    activity: describe,
  })

  return {
    ...kind,
    async create(author, { group_id: _chosen, ...input }) {
      checkTarget(input, config)
      const now = new Date()
      const row = await insertRecord<ServiceRow>(db, table, {
        ...input,
        title: input.title ?? input.name,
        id: newId(),
        group_id: author.groupId,
        created_at: now,
        next_check_at: input.url && !input.is_paused ? now : null,
      })
      if (!row)
        throw new Fault(faults.conflict, `A service "${input.name}" already exists.`, { param: 'name' })
      kind.tell(row, 'created', author.userId)
      changed()
      return { row, isNew: true }
    },
    async change(author, id, change) {
      const row = await kind.change(author, id, change)
      changed()
      return row
    },
    async remove(author, id) {
      await kind.remove(author, id)
      changed()
    },
    async checkNow(groupId, id) {
      const { url } = await kind.get(groupId, id)
      const { rows } = await sql`
        update records.services set next_check_at = now()
        where group_id = ${groupId} and id = ${id} and url is not null and not is_paused
        returning id`.execute(db)
      if (rows.length === 0)
        throw url === null
          ? new Fault(faults.conflict, 'The service has no URL to check.')
          : new Fault(faults.conflict, 'The checks of the service are paused.')
      changed()
    },
  }
}

/** Columns whose change makes what is known about the service old. */
const checkedColumns = [
  'url',
  'is_paused',
  'interval_s',
  'timeout_ms',
  'expect_status',
  'allow_private',
] as const

async function replan(
  transaction: DbTransaction,
  before: ServiceRow,
  after: { [K in (typeof checkedColumns)[number]]?: ServiceRow[K] | undefined },
): Promise<Values<ServiceRow>> {
  if (checkedColumns.every((column) => before[column] === after[column])) return {}
  const isChecked = Boolean(after.url) && after.is_paused !== true
  if (isChecked && before.url === after.url && !before.is_paused) return { next_check_at: new Date() }
  const unknown = { state: 'unknown', state_since: new Date(), failures: 0, passes: 0 } as const
  if (isChecked) return { next_check_at: new Date(), ...(before.state === 'down' ? {} : unknown) }
  // Nobody will see the service recover, so its incident ends here.
  await sql`
    update records.incidents set closed_at = greatest(opened_at, now()), updated_at = now()
    where service_id = ${before.id} and closed_at is null and source = 'health_check'`.execute(transaction)
  const hasIncident = after.url === null && (await isReportedDown(transaction, before.id))
  return { next_check_at: null, ...unknown, ...(hasIncident && { state: 'down' }) }
}

/** The state of a service without a URL follows the incidents that others have reported. */
async function isReportedDown(transaction: DbTransaction, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from records.incidents where service_id = ${id} and closed_at is null limit 1`.execute(transaction)
  return rows.length > 0
}

function describe({ id, name, url, is_paused, is_public }: ServiceRow, action: Action): RecordActivity {
  return {
    ...configActivity,
    service: name,
    title: `Service ${action}: ${name}`,
    message: is_paused ? 'Its checks are paused.' : url === null ? 'Nothing is checked.' : '',
    metadata: { id, action, is_paused, is_public },
  }
}
