import { isRework, type DeploymentChange, type Delivery, type Mapping } from '../change.ts'
import { idAt, linkAt, serviceName, textAt, timeAt } from '../payload.ts'

/** `inactive` is missing: it says that a later deployment has replaced this one, which is no result of its own. */
const states: Readonly<Record<string, DeploymentChange['status']>> = {
  waiting: 'started',
  pending: 'started',
  queued: 'started',
  in_progress: 'started',
  success: 'succeeded',
  failure: 'failed',
  error: 'failed',
}

export function deploymentStatus({ payload }: Delivery): Mapping {
  const state = textAt(payload, 'deployment_status.state') ?? ''
  const status = Object.hasOwn(states, state) ? states[state] : undefined
  if (!status) return { ignored: `The deployment status "${state}" is not used.` }
  const id = idAt(payload, 'deployment.id')
  const service = serviceName(textAt(payload, 'repository.name'))
  const changedAt =
    timeAt(payload, 'deployment_status.updated_at') ?? timeAt(payload, 'deployment_status.created_at')
  if (id === null || service === null || changedAt === null)
    return { ignored: 'The deployment has no ID, repository or time.' }
  const version = textAt(payload, 'deployment.ref')
  return {
    changes: [
      {
        kind: 'deployment',
        externalId: `deployment/${id}`,
        service,
        environment:
          textAt(payload, 'deployment_status.environment', 100) ??
          textAt(payload, 'deployment.environment', 100) ??
          'production',
        version,
        status,
        startedAt: timeAt(payload, 'deployment.created_at') ?? changedAt,
        finishedAt: status === 'started' ? null : changedAt,
        commit: textAt(payload, 'deployment.sha', 64),
        committedAt: null,
        url:
          linkAt(payload, 'deployment_status.log_url') ??
          linkAt(payload, 'deployment_status.target_url') ??
          linkAt(payload, 'deployment_status.environment_url'),
        deployedBy: textAt(payload, 'deployment.creator.login', 100),
        isRework: isRework(version, textAt(payload, 'deployment.description')),
        changedAt,
      },
    ],
  }
}
