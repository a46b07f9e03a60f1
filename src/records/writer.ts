import type { QueryExecutorProvider } from 'kysely'
import type { DeploymentStatus } from './shapes/deployments.ts'
import type { TicketStatus } from './shapes/tickets.ts'

/**
 * What other parts write, such as webhooks. A record is known by group, source and `external_id`: the same report may
 * come twice and in any order. `at` is when the status changed where it comes from. An older change never replaces a
 * newer one; of two at the same time the one further on wins. Fields that are undefined keep their value, and what an
 * older report knows fills fields that are still empty.
 */
export interface RecordWriter {
  upsertDeployment(groupId: string, report: DeploymentReport): Promise<Upserted>
  upsertTicket(groupId: string, report: TicketReport): Promise<Upserted>
  /** Null: the group has no service of this name, and nothing was written. */
  upsertIncident(groupId: string, report: IncidentReport): Promise<Upserted | null>
  /** Written once: the same ID again changes nothing. */
  addDevlog(groupId: string, entry: DevlogEntry): Promise<Upserted>
  /** Commits that became known after they were deployed: deployments without a commit time get it. */
  setCommitTimes(groupId: string, commits: readonly CommitTime[]): Promise<void>
}

/** The runs of agents that work on tickets. What has a database is part of the caller's transaction. */
export interface TicketRuns {
  /** 404 where the group has no such ticket. */
  get(groupId: string, id: string): Promise<AssignedTicket>
  /** The run that worked on it last; nobody else takes it before the transaction ends. */
  lastRun(transaction: QueryExecutorProvider, groupId: string, id: string): Promise<string | null>
  takeRun(transaction: QueryExecutorProvider, groupId: string, id: string, runId: string): Promise<void>
  /** Of a run that no longer has the ticket nothing is written. */
  setRun(db: QueryExecutorProvider, groupId: string, id: string, run: TicketRun): Promise<void>
}

export interface AssignedTicket {
  id: string
  title: string
  description: string
  url: string | null
}

export interface TicketRun {
  run_id: string
  agent_id: string
  status: string
  /** Undefined: what is there stays. */
  result: string | null | undefined
}

export interface CommitTime {
  sha: string
  committedAt: Date
}

export interface Upserted {
  id: string
  /** `unchanged`: the report was older than what is known, or said nothing new. */
  outcome: 'created' | 'changed' | 'unchanged'
}

/** A devlog that a part of Signalbox writes about what happened. */
export interface DevlogEntry {
  /** A uuid that its writer makes of what the devlog is about. */
  id: string
  service_id: string
  log_type: string
  title: string
  content: string
  tags: string[]
  metadata: Record<string, unknown>
  author_kind: 'human' | 'ai'
  author: string | null
}

interface Report {
  source: string
  external_id: string
  /** When the status changed. */
  at: Date
}

export interface DeploymentReport extends Report {
  service: string
  /** Defaults to `production`. */
  environment?: string | undefined
  status: DeploymentStatus
  version?: string | null | undefined
  /** Defaults to `at`. The earliest one that is reported counts. */
  started_at?: Date | undefined
  /** Defaults to `at`. Ignored while the status is `started`. */
  finished_at?: Date | undefined
  commit?: string | null | undefined
  committed_at?: Date | null | undefined
  url?: string | null | undefined
  deployed_by?: string | null | undefined
  is_rework?: boolean | undefined
  /** The incident that it repairs. */
  incident_id?: string | null | undefined
}

export interface TicketReport extends Report {
  title: string
  status: TicketStatus
  description?: string | undefined
  priority?: string | null | undefined
  assignee?: string | null | undefined
  initiative_id?: string | null | undefined
  url?: string | null | undefined
  /** Defaults to `at`. The earliest one that is reported counts. */
  created_at?: Date | undefined
  started_at?: Date | null | undefined
  /** Defaults to `at` when the status is `done`. */
  completed_at?: Date | null | undefined
  /** Defaults to `at` when the status is `cancelled`. */
  cancelled_at?: Date | null | undefined
}

/** An alert that fires again later is another incident: put its beginning into `external_id`. */
export interface IncidentReport extends Report {
  /** The name of the service. */
  service: string
  cause: string
  opened_at: Date
  /** Null: still open. A closed incident is not opened by a late report. */
  closed_at: Date | null
}
