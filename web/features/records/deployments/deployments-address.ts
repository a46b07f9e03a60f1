import type { DeploymentStatus } from '#records/contract'
import { readTexts } from '../address.ts'
import { deploymentStatuses } from './deployment-words.ts'

export interface DeploymentsAddress {
  service?: string
  environment?: string
  /** One or more, separated by commas. */
  status?: string
  since?: string
  until?: string
  /** The form for a new one is open. */
  new?: true
}

/** The search parameters of the page; unknown ones are dropped. */
export function readDeploymentsAddress(search: Record<string, unknown>): DeploymentsAddress {
  const { status, ...texts } = readTexts(search, ['service', 'environment', 'status', 'since', 'until'])
  const statuses = status?.split(',').filter((word) => deploymentStatuses.includes(word as DeploymentStatus))
  return {
    ...texts,
    ...(statuses && statuses.length > 0 && { status: statuses.join(',') }),
    ...(search['new'] === true && { new: true }),
  }
}
