import type { DeploymentStatus } from '#records/contract'
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
