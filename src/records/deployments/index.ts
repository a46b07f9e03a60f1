import { sql } from 'kysely'
import { invalidField } from '#kernel/errors'
import { newId } from '#kernel/uuid'
import {
  createRecordKind,
  type Action,
  type RecordActivity,
  type RecordDeps,
  type RecordKind,
} from '../record-kind.ts'
import { equals, insertRecord, isOneOf, within, type Db, type RecordTable } from '../record-store.ts'
import {
  deployment,
  type DeploymentChange,
  type DeploymentInput,
  type DeploymentQuery,
} from '../shapes/deployments.ts'
import { upsertRecord } from '../upsert.ts'
import type { DeploymentReport, Upserted } from '../writer.ts'
import { figureFilters } from './figure-filters.ts'
import {
  applyChange,
  fromInput,
  fromReport,
  mergeReport,
  type AnyDeploymentReport,
  type DeploymentRow,
} from './merge.ts'

const table: RecordTable = {
  name: 'records.deployments',
  columns: [...Object.keys(deployment.shape), 'status_at'],
  sortBy: 'started_at',
}

export interface Deployments extends RecordKind<
  DeploymentRow,
  DeploymentInput,
  DeploymentChange,
  DeploymentQuery
> {
  report(groupId: string, report: DeploymentReport): Promise<Upserted>
}

export function createDeployments(deps: RecordDeps): Deployments {
  const { db } = deps
  const kind = createRecordKind<DeploymentRow, DeploymentChange, DeploymentQuery>(deps, {
    table,
    what: 'The deployment',
    conditions: (query, groupId) => [
      equals('service', query.service),
      equals('environment', query.environment),
      isOneOf('status', query.status),
      ...within('started_at', query),
      ...figureFilters(query, groupId),
    ],
    async apply(change, before, transaction) {
      await checkIncident(transaction, before.group_id, change.incident_id)
      return applyChange(change, before, new Date())
    },
    activity: describe,
    happenedAt: ({ status_at }) => status_at,
  })

  async function write(groupId: string, by: string | null, report: AnyDeploymentReport) {
    await checkIncident(db, groupId, report.incident_id)
    const created = fromReport(report, { id: newId(), group_id: groupId })
    if (created.external_id === null) {
      const row = await insertRecord<DeploymentRow>(db, table, created)
      if (!row) throw new Error('a deployment has an ID that is taken')
      kind.tell(row, 'created', by)
      return { row, outcome: 'created' as const }
    }
    const written = await upsertRecord<DeploymentRow>(db, table, created, (before) =>
      mergeReport(before, report),
    )
    if (written.outcome !== 'unchanged') kind.tell(written.row, written.outcome, by)
    return written
  }

  return {
    ...kind,
    async create(author, input) {
      const { group_id: _chosen, ...fields } = input
      const report = fromInput({ ...fields, deployed_by: input.deployed_by ?? author.name }, new Date())
      const { row, outcome } = await write(author.groupId, author.userId, report)
      return { row, isNew: outcome === 'created' }
    },
    async report(groupId, report) {
      const { row, outcome } = await write(groupId, null, report)
      return { id: row.id, outcome }
    },
  }
}

async function checkIncident(db: Db, groupId: string, id: string | null | undefined): Promise<void> {
  if (!id) return
  const { rows } = await sql`
    select from records.incidents where group_id = ${groupId} and id = ${id}`.execute(db)
  if (rows.length === 0) throw invalidField('incident_id', 'must be an incident of this group')
}

const severities = { started: 'info', succeeded: 'info', failed: 'error', rolled_back: 'warning' } as const

function describe(row: DeploymentRow, action: Action): RecordActivity {
  const { id, service, environment, version, status, commit, url } = row
  const name = version === null ? service : `${service} ${version}`
  return {
    type: 'deployment',
    severity: action === 'deleted' ? 'info' : severities[status],
    service,
    source: 'deployments',
    title:
      action === 'deleted'
        ? `Deployment of ${name} to ${environment} deleted`
        : `Deployment of ${name} to ${environment}: ${status.replace('_', ' ')}`,
    message: commit === null ? '' : `Commit ${commit}`,
    metadata: { id, action, environment, version, status, commit, url, source: row.source },
  }
}
