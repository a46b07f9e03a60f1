import type { Kysely } from 'kysely'
import type { Events } from '#kernel/events'
import type { RecordWriter } from '#records/contract'
import { commitTime, saveCommits } from './commit-store.ts'
import { savePullRequest } from './pull-request-store.ts'
import type { HookKind } from './contract.ts'
import type {
  AlertChange,
  Change,
  CommitsChange,
  DeploymentChange,
  EventChange,
  TicketChange,
} from './mapping/change.ts'
import type { WebhookTables } from './tables.ts'

export interface ApplyDeps {
  db: Kysely<WebhookTables>
  events: Events
  records: RecordWriter
}

export interface Origin {
  groupId: string
  kind: HookKind
  hookId: string
  deliveryId: string
  /** False on a replay of what was processed before: records stay as they are, and events would repeat. */
  isFirst: boolean
}

/** Carries out what a delivery means. Each step may run again, so a delivery that failed half-way can be repeated. */
export function createApply({ db, events, records }: ApplyDeps) {
  async function deployment(change: DeploymentChange, { groupId, kind }: Origin): Promise<void> {
    const known =
      change.committedAt === null && change.commit !== null
        ? await commitTime(db, groupId, change.commit)
        : undefined
    await records.upsertDeployment(groupId, {
      source: kind,
      external_id: change.externalId,
      at: change.changedAt,
      service: change.service,
      environment: change.environment,
      status: change.status,
      version: change.version ?? undefined,
      started_at: change.startedAt,
      finished_at: change.finishedAt ?? undefined,
      commit: change.commit ?? undefined,
      committed_at: change.committedAt ?? known,
      url: change.url ?? undefined,
      deployed_by: change.deployedBy ?? undefined,
      is_rework: change.isRework || undefined,
    })
  }

  async function ticket(change: TicketChange, { groupId, kind }: Origin): Promise<void> {
    await records.upsertTicket(groupId, {
      source: kind,
      external_id: change.externalId,
      at: change.changedAt,
      title: change.title,
      status: change.status,
      description: change.description,
      priority: change.priority,
      assignee: change.assignee,
      url: change.url,
      created_at: change.createdAt,
      started_at: change.startedAt ?? undefined,
      completed_at: change.status === 'done' ? (change.closedAt ?? undefined) : undefined,
      cancelled_at: change.status === 'cancelled' ? (change.closedAt ?? undefined) : undefined,
    })
  }

  /** Says whether the alert is an incident of a registered service; otherwise it is only shown. */
  async function incident(change: AlertChange, { groupId, kind }: Origin): Promise<boolean> {
    if (change.service === null) return false
    const endedAt = change.state === 'resolved' ? (change.endedAt ?? new Date()) : null
    const upserted = await records.upsertIncident(groupId, {
      source: kind,
      external_id: change.externalId,
      at: endedAt ?? change.startedAt,
      service: change.service,
      cause: change.title,
      opened_at: change.startedAt,
      closed_at: endedAt,
    })
    return upserted !== null
  }

  async function commits(change: CommitsChange, { groupId }: Origin): Promise<void> {
    await saveCommits(db, groupId, change.commits)
    await records.setCommitTimes(groupId, change.commits)
  }

  function show(event: EventChange, origin: Origin): void {
    if (!origin.isFirst) return
    const { kind: _kind, at, ...shown } = event
    events.emit(
      'activity',
      {
        ...shown,
        groupId: origin.groupId,
        by: null,
        metadata: { ...event.metadata, hook_id: origin.hookId, delivery_id: origin.deliveryId },
      },
      at ?? undefined,
    )
  }

  /** Returns the event that shows the change, where no record does. */
  async function applyOne(change: Change, origin: Origin): Promise<EventChange | undefined> {
    if (change.kind === 'event') return change
    if (change.kind === 'alert')
      return (await incident(change, origin)) ? undefined : eventOf(change, origin.kind)
    if (change.kind === 'deployment') await deployment(change, origin)
    else if (change.kind === 'ticket') await ticket(change, origin)
    else if (change.kind === 'pull_request') await savePullRequest(db, origin.groupId, change)
    else await commits(change, origin)
    return undefined
  }

  return async function apply(changes: readonly Change[], origin: Origin): Promise<void> {
    const shown: EventChange[] = []
    for (const change of changes) {
      const event = await applyOne(change, origin)
      if (event) shown.push(event)
    }
    // Last, when nothing can fail any more: events cannot be taken back or emitted twice.
    for (const event of shown) show(event, origin)
  }
}

/** An alert of something that is not a registered service. */
function eventOf(alert: AlertChange, source: HookKind): EventChange {
  const isOver = alert.state === 'resolved'
  return {
    kind: 'event',
    type: isOver ? 'health_check' : 'error',
    severity: isOver ? 'info' : alert.severity,
    service: alert.service,
    source,
    title: isOver ? `Resolved: ${alert.title}` : alert.title,
    message: alert.message,
    metadata: alert.metadata,
    at: isOver ? alert.endedAt : alert.startedAt,
  }
}
