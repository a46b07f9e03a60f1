import {
  isRework,
  maxTitle,
  type Change,
  type Delivery,
  type DeploymentChange,
  type EventChange,
  type Mapping,
} from '../change.ts'
import { cleanText, idAt, linkAt, textAt, timeAt } from '../payload.ts'
import { serviceOf } from './project.ts'

const results: Readonly<Record<string, 'succeeded' | 'failed'>> = { success: 'succeeded', failed: 'failed' }

/** A pipeline is a deployment only where the hook names it: its jobs with an environment report their own. */
export function pipeline({ payload, deployWorkflows }: Delivery): Mapping {
  const id = idAt(payload, 'object_attributes.id')
  const service = serviceOf(payload)
  const createdAt = timeAt(payload, 'object_attributes.created_at')
  if (id === null || service === null || createdAt === null)
    return { ignored: 'The pipeline has no ID, project or time.' }
  const status = textAt(payload, 'object_attributes.status') ?? ''
  const result = Object.hasOwn(results, status) ? results[status] : undefined
  const run: Run = { id, service, createdAt, result, finishedAt: finishOf(payload) ?? createdAt }
  const name = textAt(payload, 'object_attributes.name')
  const isDeployment = name !== null && deployWorkflows.includes(name)
  const changes: Change[] = commitOf(payload)
  if (isDeployment && (result || status === 'running')) changes.push(deploymentOf(payload, run))
  else if (result) changes.push(eventOf(payload, run, name))
  return changes.length > 0 ? { changes } : { ignored: `A pipeline that is "${status}" is not used.` }
}

interface Run {
  id: string
  service: string
  createdAt: Date
  finishedAt: Date
  result: 'succeeded' | 'failed' | undefined
}

const finishOf = (payload: unknown): Date | null => timeAt(payload, 'object_attributes.finished_at')

function deploymentOf(payload: unknown, run: Run): DeploymentChange {
  const version = textAt(payload, 'object_attributes.ref')
  return {
    kind: 'deployment',
    externalId: `pipeline/${run.id}`,
    service: run.service,
    environment: 'production',
    version,
    status: run.result ?? 'started',
    startedAt: run.createdAt,
    finishedAt: run.result ? run.finishedAt : null,
    commit: textAt(payload, 'object_attributes.sha', 64),
    committedAt: null,
    url: linkAt(payload, 'object_attributes.url'),
    deployedBy: textAt(payload, 'user.username', 100),
    isRework: isRework(version, textAt(payload, 'commit.title')),
    changedAt: run.result ? run.finishedAt : run.createdAt,
  }
}

function eventOf(payload: unknown, run: Run, name: string | null): EventChange {
  const isFailure = run.result === 'failed'
  const ref = textAt(payload, 'object_attributes.ref')
  const title = `${name ?? `Pipeline #${run.id}`} ${run.result}${ref === null ? '' : ` on ${ref}`}`
  return {
    kind: 'event',
    type: isFailure ? 'error' : 'sync',
    severity: isFailure ? 'error' : 'info',
    service: run.service,
    source: 'gitlab',
    title: cleanText(title, maxTitle) ?? 'Pipeline',
    message: textAt(payload, 'commit.title', maxTitle) ?? '',
    metadata: {
      url: linkAt(payload, 'object_attributes.url'),
      commit: textAt(payload, 'object_attributes.sha', 64),
    },
    at: run.finishedAt,
  }
}

function commitOf(payload: unknown): Change[] {
  const sha = textAt(payload, 'commit.id', 64)
  const committedAt = timeAt(payload, 'commit.timestamp')
  return sha === null || committedAt === null ? [] : [{ kind: 'commits', commits: [{ sha, committedAt }] }]
}
