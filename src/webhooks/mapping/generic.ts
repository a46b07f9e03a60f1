import type { z } from 'zod'
import { invalidField } from '#kernel/errors'
import { genericBody, type GenericItem } from '../contract.ts'
import { isRework, type Change, type Mapper } from './change.ts'
import { valueAt } from './payload.ts'

/** Senders of this write it by our documentation, so a wrong field is an error that names it. */
export const generic: Mapper = ({ payload, receivedAt }) => {
  if (typeof payload !== 'object' || payload === null)
    throw invalidField('body', 'must be an object or an array of objects')
  const items: unknown[] = Array.isArray(payload) ? payload : [payload]
  const parsed = genericBody.safeParse(items)
  if (parsed.success) return { changes: parsed.data.map((item) => toChange(item, receivedAt)) }
  const [issue] = parsed.error.issues
  throw invalidField(pathOf(issue, Array.isArray(payload)), issue?.message ?? 'is not valid')
}

/** False: it has an event without a time, so that the same body may mean that it happened again. */
export function saysWhen(payload: unknown): boolean {
  const items: unknown[] = Array.isArray(payload) ? payload : [payload]
  return !items.some((item) => valueAt(item, 'kind') === 'event' && (valueAt(item, 'at') ?? null) === null)
}

function pathOf(issue: z.core.$ZodIssue | undefined, isArray: boolean): string {
  const path = (issue?.path ?? []).slice(isArray ? 0 : 1).join('.')
  return path === '' ? 'body' : path
}

const dateOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null)

function toChange(item: GenericItem, receivedAt: Date): Change {
  if (item.kind === 'deployment') return deploymentOf(item, receivedAt)
  if (item.kind === 'ticket') return ticketOf(item)
  if (item.kind === 'alert') return alertOf(item)
  if (item.kind === 'pull_request') return pullRequestOf(item)
  return item.kind === 'commits' ? commitsOf(item) : eventOf(item)
}

function commitsOf({ commits }: Item<'commits'>): Change {
  return {
    kind: 'commits',
    commits: commits.map(({ sha, committed_at: at, ...said }) => ({
      sha,
      committedAt: new Date(at),
      repository: said.repository ?? undefined,
      branch: said.branch ?? undefined,
      message: said.message ?? undefined,
      author: said.author ?? undefined,
      url: said.url ?? undefined,
    })),
  }
}

function pullRequestOf(item: Item<'pull_request'>): Change {
  return {
    kind: 'pull_request',
    url: item.url,
    repository: item.repository,
    number: item.number,
    title: item.title,
    branch: item.branch ?? null,
    author: item.author ?? null,
    headSha: item.head_sha ?? null,
    mergeSha: item.merge_sha ?? null,
    issues: item.issues,
    openedAt: dateOf(item.opened_at),
    mergedAt: dateOf(item.merged_at),
    changedAt: new Date(item.changed_at),
  }
}

function eventOf({ service, at, ...event }: Item<'event'>): Change {
  return { ...event, service: service ?? null, at: dateOf(at) }
}

type Item<K extends GenericItem['kind']> = Extract<GenericItem, { kind: K }>

function deploymentOf(item: Item<'deployment'>, receivedAt: Date): Change {
  const startedAt = new Date(item.started_at)
  // A sender that names no time of the end says it when it happens. Its clock may be ahead of ours.
  const now = item.status === 'started' || receivedAt < startedAt ? startedAt : receivedAt
  return {
    kind: 'deployment',
    externalId: item.id,
    service: item.service,
    environment: item.environment,
    version: item.version ?? null,
    status: item.status,
    startedAt,
    finishedAt: item.status === 'started' ? null : dateOf(item.finished_at),
    commit: item.commit ?? null,
    committedAt: dateOf(item.committed_at),
    url: item.url ?? null,
    deployedBy: item.deployed_by ?? null,
    isRework: item.is_rework ?? isRework(item.version ?? null),
    changedAt: dateOf(item.changed_at ?? item.finished_at) ?? now,
  }
}

function ticketOf(item: Item<'ticket'>): Change {
  const isOver = item.status === 'done' || item.status === 'cancelled'
  const changedAt = new Date(item.changed_at)
  return {
    kind: 'ticket',
    externalId: item.id,
    title: item.title,
    description: item.description,
    status: item.status,
    priority: item.priority ?? null,
    assignee: item.assignee ?? null,
    url: item.url ?? null,
    createdAt: dateOf(item.created_at) ?? changedAt,
    startedAt: dateOf(item.started_at),
    closedAt: isOver ? dateOf(item.completed_at) : null,
    changedAt,
  }
}

function alertOf(item: Item<'alert'>): Change {
  return {
    kind: 'alert',
    externalId: item.id,
    service: item.service ?? null,
    state: item.state,
    severity: item.severity,
    title: item.title,
    message: item.message,
    startedAt: new Date(item.started_at),
    endedAt: dateOf(item.ended_at),
    metadata: item.metadata,
  }
}
