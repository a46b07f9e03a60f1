import { addressReader, on, text, wordList, type AddressOf, type Search } from '../../../ui/address.ts'
import { deploymentStatuses } from './deployment-words.ts'

const read = addressReader({
  service: text,
  environment: text,
  status: wordList(deploymentStatuses),
  since: text,
  until: text,
  /** The period in which they ended. */
  ended_since: text,
  ended_until: text,
  is_production: on,
  is_rework: on,
  is_change_failure: on,
  /** The form for a new one is open. */
  new: on,
})
export type DeploymentsAddress = AddressOf<typeof read>

/** The failures of a period are asked for only with its beginning. */
export function readDeploymentsAddress(search: Search): DeploymentsAddress {
  const { is_change_failure, ...address } = read(search)
  return address.ended_since === undefined || !is_change_failure ? address : { ...address, is_change_failure }
}
