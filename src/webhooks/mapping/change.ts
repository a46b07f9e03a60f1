import type { ActivityType, Severity } from '#kernel/events'

/** What a delivery means, in our own words: pure data that `apply.ts` carries out. */
export type Change =
  | DeploymentChange
  | TicketChange
  | AlertChange
  | CommitsChange
  | PullRequestChange
  | EventChange

export interface DeploymentChange {
  kind: 'deployment'
  externalId: string
  service: string
  environment: string
  version: string | null
  status: 'started' | 'succeeded' | 'failed' | 'rolled_back'
  startedAt: Date
  /** Null where the sender does not say it: the records know what it must have been. */
  finishedAt: Date | null
  commit: string | null
  committedAt: Date | null
  url: string | null
  deployedBy: string | null
  isRework: boolean
  /** When this status was reached, by the sender's clock. */
  changedAt: Date
}

export interface TicketChange {
  kind: 'ticket'
  externalId: string
  title: string
  description: string
  status: 'open' | 'in_progress' | 'done' | 'cancelled'
  priority: string | null
  assignee: string | null
  url: string | null
  createdAt: Date
  startedAt: Date | null
  /** Null where it is open or the sender does not say it. */
  closedAt: Date | null
  changedAt: Date
}

/** An alert that fires or is resolved: an incident where the service is registered, otherwise an event. */
export interface AlertChange {
  kind: 'alert'
  externalId: string
  service: string | null
  state: 'firing' | 'resolved'
  severity: Severity
  title: string
  message: string
  startedAt: Date
  endedAt: Date | null
  metadata: Record<string, unknown>
}

/** Commits that were pushed: from them a deployment gets its lead time, and links to the work behind it. */
export interface CommitsChange {
  kind: 'commits'
  commits: PushedCommit[]
}

export interface PushedCommit {
  sha: string
  /** Of the oldest commit that came with it. */
  committedAt: Date
  /** What only a push says. */
  madeAt?: Date | undefined
  repository?: string | undefined
  branch?: string | undefined
  /** The first line. */
  message?: string | undefined
  author?: string | undefined
  url?: string | undefined
}

/** A pull request, or a merge request, as it is now. */
export interface PullRequestChange {
  kind: 'pull_request'
  /** The address of its page, which is its ID. */
  url: string
  /** With its owner. */
  repository: string
  number: number
  title: string
  branch: string | null
  author: string | null
  headSha: string | null
  mergeSha: string | null
  /** Addresses of the issues that it closes. */
  issues: string[]
  openedAt: Date | null
  mergedAt: Date | null
  changedAt: Date
}

/** Something to show in the console that no record is kept of. */
export interface EventChange {
  kind: 'event'
  type: ActivityType
  severity: Severity
  service: string | null
  source: string
  title: string
  message: string
  metadata: Record<string, unknown>
  at: Date | null
}

export type Mapping = { changes: Change[] } | { ignored: string }

export interface Delivery {
  /** The name of the event, where the sender gives it in a header. */
  event: string | null
  payload: unknown
  /** When it came first. */
  receivedAt: Date
  /** Names of the workflows whose runs are deployments. */
  deployWorkflows: readonly string[]
}

/** A pure function for each kind of sender. */
export type Mapper = (delivery: Delivery) => Mapping

export const maxTitle = 300
export const maxMessage = 10_000

/** An unplanned deployment, by the name of its branch or the first line of its commit. */
export function isRework(...texts: readonly (string | null)[]): boolean {
  return texts.some((text) => text !== null && /^(?:refs\/heads\/)?(?:hotfix|revert)\b/i.test(text))
}
