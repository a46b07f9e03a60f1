import { isRework, type Delivery, type DeploymentChange, type Mapping } from '../change.ts'
import { idAt, linkAt, textAt, timeAt } from '../payload.ts'
import { serviceOf } from './project.ts'

/** A deployment that was cancelled is neither a success nor a failure. */
const states: Readonly<Record<string, DeploymentChange['status']>> = {
  created: 'started',
  running: 'started',
  success: 'succeeded',
  failed: 'failed',
}

export function deployment({ payload }: Delivery): Mapping {
  const state = textAt(payload, 'status') ?? ''
  const status = Object.hasOwn(states, state) ? states[state] : undefined
  if (!status) return { ignored: `The deployment status "${state}" is not used.` }
  const id = idAt(payload, 'deployment_id')
  const project = idAt(payload, 'project.id')
  const service = serviceOf(payload)
  const changedAt = timeAt(payload, 'status_changed_at')
  if (id === null || project === null || service === null || changedAt === null)
    return { ignored: 'The deployment has no ID, project or time.' }
  const version = textAt(payload, 'ref')
  return {
    changes: [
      {
        kind: 'deployment',
        externalId: `deployment/${project}/${id}`,
        service,
        environment: textAt(payload, 'environment', 100) ?? 'production',
        version,
        status,
        // Only the delivery of the start has the time of the start; the earliest one that came is kept.
        startedAt: changedAt,
        finishedAt: status === 'started' ? null : changedAt,
        commit: commitOf(payload),
        committedAt: null,
        url: linkAt(payload, 'deployable_url') ?? linkAt(payload, 'environment_external_url'),
        deployedBy: textAt(payload, 'user.username', 100),
        isRework: isRework(version, textAt(payload, 'commit_title')),
        changedAt,
      },
    ],
  }
}

/** The payload has a short form of the commit only; its address has all of it. */
function commitOf(payload: unknown): string | null {
  const address = linkAt(payload, 'commit_url')
  return /\/commit\/([0-9a-f]{40,64})$/.exec(address ?? '')?.[1] ?? textAt(payload, 'short_sha', 64)
}
