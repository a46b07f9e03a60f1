import type { Delivery, Mapper, Mapping } from '../change.ts'
import { deploymentStatus } from './deployment-status.ts'
import { issues } from './issues.ts'
import { pullRequest } from './pull-request.ts'
import { push } from './push.ts'
import { workflowRun } from './workflow-run.ts'

const mappers: Readonly<Record<string, (delivery: Delivery) => Mapping>> = {
  deployment_status: deploymentStatus,
  workflow_run: workflowRun,
  issues,
  pull_request: pullRequest,
  push,
  ping: () => ({ ignored: 'A ping: the webhook is connected.' }),
}

export const github: Mapper = (delivery) => {
  const { event } = delivery
  if (event === null) return { ignored: 'The header X-GitHub-Event is missing.' }
  const map = Object.hasOwn(mappers, event) ? mappers[event] : undefined
  return map?.(delivery) ?? { ignored: `The event "${event}" is not used.` }
}
