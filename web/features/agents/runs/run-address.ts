import type { RunStatus } from '#agents/contract'
import { addressReader, matching, word, type AddressOf } from '../../../ui/address.ts'

// Written out: the contract itself brings the schemas, which no page needs before it is opened.
const statuses = ['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled'] satisfies RunStatus[]

export const readRunsAddress = addressReader({
  agent: matching(/^[a-z0-9][a-z0-9-]{0,62}$/),
  status: word<RunStatus>(statuses),
})
export type RunsAddress = AddressOf<typeof readRunsAddress>
