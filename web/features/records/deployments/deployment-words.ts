import type { Deployment, DeploymentStatus } from '#records/contract'
import type { Tone } from '../../../ui/badge.tsx'

export const statusNames: Record<DeploymentStatus, string> = {
  started: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  rolled_back: 'Rolled back',
}

export const deploymentStatuses = Object.keys(statusNames) as DeploymentStatus[]

export const statusTones: Record<DeploymentStatus, Tone> = {
  started: 'info',
  succeeded: 'success',
  failed: 'danger',
  rolled_back: 'accent',
}

/** How long it took; null while it runs. */
export const buildMs = ({ started_at, finished_at }: Deployment): number | null =>
  finished_at === null ? null : Date.parse(finished_at) - Date.parse(started_at)

export const nameOf = ({ service, version }: Deployment): string =>
  version === null ? service : `${service} ${version}`
