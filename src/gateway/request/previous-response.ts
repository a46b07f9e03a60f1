import { Fault, faults, invalidField } from '#kernel/errors'
import type { StoredResponse, StoredResponses } from '../catalog/stored-responses.ts'
import type { Plan } from '../routing/plan.ts'
import type { OpenEntry } from './meter.ts'

/**
 * The response that a request continues; undefined where no target stores responses. The provider would continue every
 * response of its project for anyone: so one that this API key did not make is unknown, and so is one whose maker is
 * not known.
 */
export async function previousResponse(
  stored: StoredResponses,
  entry: OpenEntry,
  { targets }: Plan,
  id: unknown,
): Promise<StoredResponse | undefined> {
  if (!targets.some(({ route }) => route.provider.storedResponses)) return undefined
  if (typeof id !== 'string') throw invalidField('previous_response_id', 'must be a string')
  const found = await stored.find(id, entry)
  if (found) return found
  const message = `Previous response with id '${id.slice(0, 100)}' not found.`
  throw new Fault(faults.previousResponseNotFound, message, { param: 'previous_response_id' })
}
