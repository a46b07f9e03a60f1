import {
  isRework,
  maxTitle,
  type Change,
  type CommitsChange,
  type Delivery,
  type DeploymentChange,
  type EventChange,
  type Mapping,
} from '../change.ts'
import { cleanText, idAt, linkAt, serviceName, textAt, timeAt } from '../payload.ts'

/** Runs that were cancelled or skipped are neither a success nor a failure. */
const conclusions: Readonly<Record<string, 'succeeded' | 'failed'>> = {
  success: 'succeeded',
  failure: 'failed',
  timed_out: 'failed',
  startup_failure: 'failed',
}

/**
 * A run is a deployment only where the hook names its workflow: a job with an environment also sends
 * `deployment_status`, and counting both would count every deployment twice.
 */
export function workflowRun(delivery: Delivery): Mapping {
  const { payload, deployWorkflows } = delivery
  const id = idAt(payload, 'workflow_run.id')
  const changedAt = timeAt(payload, 'workflow_run.updated_at')
  const service = serviceName(textAt(payload, 'repository.name'))
  if (id === null || changedAt === null || service === null)
    return { ignored: 'The run has no ID, repository or time.' }
  const conclusion = textAt(payload, 'workflow_run.conclusion') ?? ''
  const result = Object.hasOwn(conclusions, conclusion) ? conclusions[conclusion] : undefined
  const run: Run = { id, service, changedAt, result, isOver: textAt(payload, 'action') === 'completed' }
  const names = [
    textAt(payload, 'workflow_run.name'),
    textAt(payload, 'workflow_run.path'),
    fileName(payload),
  ]
  const isDeployment = names.some((name) => name !== null && deployWorkflows.includes(name))
  const changes: Change[] = commitOf(payload)
  if (isDeployment && (!run.isOver || result)) changes.push(deploymentOf(payload, run))
  else if (run.isOver && result) changes.push(eventOf(payload, run))
  return changes.length > 0 ? { changes } : { ignored: `A run that is "${conclusion}" is not used.` }
}

interface Run {
  id: string
  service: string
  changedAt: Date
  result: 'succeeded' | 'failed' | undefined
  isOver: boolean
}

function deploymentOf(payload: unknown, run: Run): DeploymentChange {
  const branch = textAt(payload, 'workflow_run.head_branch')
  return {
    kind: 'deployment',
    // A run that is started again is a deployment of its own.
    externalId: `run/${run.id}/${idAt(payload, 'workflow_run.run_attempt') ?? '1'}`,
    service: run.service,
    environment: 'production',
    version: branch,
    status: run.isOver ? (run.result ?? 'failed') : 'started',
    startedAt:
      timeAt(payload, 'workflow_run.run_started_at') ??
      timeAt(payload, 'workflow_run.created_at') ??
      run.changedAt,
    finishedAt: run.isOver ? run.changedAt : null,
    commit: textAt(payload, 'workflow_run.head_sha', 64),
    committedAt: null,
    url: linkAt(payload, 'workflow_run.html_url'),
    deployedBy: textAt(payload, 'workflow_run.actor.login', 100),
    isRework: isRework(branch, textAt(payload, 'workflow_run.head_commit.message')),
    changedAt: run.changedAt,
  }
}

function eventOf(payload: unknown, { service, result, changedAt }: Run): EventChange {
  const name = textAt(payload, 'workflow_run.name') ?? 'A workflow'
  const branch = textAt(payload, 'workflow_run.head_branch')
  const isFailure = result === 'failed'
  return {
    kind: 'event',
    type: isFailure ? 'error' : 'sync',
    severity: isFailure ? 'error' : 'info',
    service,
    source: 'github',
    title: cleanText(`${name} ${result}${branch === null ? '' : ` on ${branch}`}`, maxTitle) ?? name,
    message: textAt(payload, 'workflow_run.display_title', maxTitle) ?? '',
    metadata: {
      url: linkAt(payload, 'workflow_run.html_url'),
      commit: textAt(payload, 'workflow_run.head_sha', 64),
      event: textAt(payload, 'workflow_run.event', 64),
    },
    at: changedAt,
  }
}

function commitOf(payload: unknown): CommitsChange[] {
  const sha = textAt(payload, 'workflow_run.head_commit.id', 64)
  const committedAt = timeAt(payload, 'workflow_run.head_commit.timestamp')
  return sha === null || committedAt === null ? [] : [{ kind: 'commits', commits: [{ sha, committedAt }] }]
}

const fileName = (payload: unknown): string | null =>
  textAt(payload, 'workflow_run.path')?.split('@')[0]?.split('/').at(-1) ?? null
