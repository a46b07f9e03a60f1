import type { RunStatus } from '#agents/contract'

// Written out: the contract itself brings the schemas, which no page needs before it is opened.
const statuses: Record<RunStatus, true> = {
  queued: true,
  running: true,
  waiting: true,
  completed: true,
  failed: true,
  cancelled: true,
}

export interface RunsAddress {
  agent?: string
  status?: RunStatus
}

/** What an address may say; anything else is dropped. */
export function readRunsAddress(search: Record<string, unknown>): RunsAddress {
  const { agent, status } = search
  const address: RunsAddress = {}
  if (typeof agent === 'string' && /^[a-z0-9][a-z0-9-]{0,62}$/.test(agent)) address.agent = agent
  if (typeof status === 'string' && Object.hasOwn(statuses, status)) address.status = status as RunStatus
  return address
}
