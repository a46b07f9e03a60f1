import type { FastifyRequest } from 'fastify'
import { Fault, faults } from '#kernel/errors'
import type { Vault } from '#vault'
import {
  newEntry,
  newOutcome,
  type Meter,
  type MeteredRequest,
  type OpenEntry,
  type Outcome,
} from './meter.ts'

export interface RequestRecord {
  entry: OpenEntry
  outcome: Outcome
  /** Enters the request; to be awaited right before it goes upstream. */
  open(): Promise<void>
}

/** Sees to it that a request is opened once and settled once, whatever its end, and that its key's health is noted. */
export async function recorded<T>(
  { meter, vault }: { meter: Meter; vault: Vault },
  request: FastifyRequest,
  endpoint: string,
  work: (record: RequestRecord) => Promise<T>,
): Promise<T> {
  const entry = newEntry(request, endpoint)
  const outcome = newOutcome()
  let metered: MeteredRequest | undefined
  let wasOpened = false
  const open = async (): Promise<void> => {
    wasOpened = true
    metered = await meter.open(entry)
  }
  try {
    return await work({ entry, outcome, open })
  } catch (error) {
    const fault = error instanceof Fault ? error : internalFault(request.id, error)
    outcome.statusCode = fault.status
    outcome.errorMessage = fault.message
    throw fault
  } finally {
    outcome.endedAt = new Date()
    if (metered && entry.providerKeyId) vault.noteOutcome(entry.providerKeyId, troubleWithKey(outcome))
    if (!wasOpened) await open()
    metered?.settle(outcome)
  }
}

/** What the caller did wrong, or did not wait for, says nothing against the key. */
function troubleWithKey({ statusCode, errorMessage }: Outcome): string | null {
  return statusCode >= 500 || statusCode === 429 ? errorMessage : null
}

function internalFault(requestId: string, cause: unknown): Fault {
  return new Fault(
    faults.internal,
    `Internal server error. Include the request ID ${requestId} when you report it.`,
    { cause },
  )
}
