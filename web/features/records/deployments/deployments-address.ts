import type { DeploymentStatus } from '#records/contract'
import { readSwitches, readTexts } from '../address.ts'
import { deploymentStatuses } from './deployment-words.ts'

export interface DeploymentsAddress {
  service?: string
  environment?: string
  /** One or more, separated by commas. */
  status?: string
  since?: string
  until?: string
  /** The period in which they ended. */
  ended_since?: string
  ended_until?: string
  is_production?: true
  is_rework?: true
  is_change_failure?: true
  /** The form for a new one is open. */
  new?: true
}

/** Only with a beginning of the period. */
const failures = ['is_change_failure'] as const

/** The search parameters of the page; unknown ones are dropped. */
export function readDeploymentsAddress(search: Record<string, unknown>): DeploymentsAddress {
  const { status, ...texts } = readTexts(search, [
    ...(['service', 'environment', 'status', 'since', 'until'] as const),
    ...(['ended_since', 'ended_until'] as const),
  ])
  const statuses = status?.split(',').filter((word) => deploymentStatuses.includes(word as DeploymentStatus))
  return {
    ...texts,
    ...readSwitches(search, [
      'is_production',
      'is_rework',
      ...(texts.ended_since === undefined ? [] : failures),
    ]),
    ...(statuses && statuses.length > 0 && { status: statuses.join(',') }),
    ...(search['new'] === true && { new: true }),
  }
}
