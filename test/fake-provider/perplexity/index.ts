import { dataEvent, namedEvent } from '../sse.ts'
import type { Wire } from '../wire.ts'
import { respondAgent } from './agent.ts'
import { authenticate, fault, perplexityError } from './fault.ts'
import { respondSonar } from './sonar.ts'

export const perplexity: Wire = {
  name: 'perplexity',
  endpoints: [
    { name: 'agent', method: 'POST', path: /^\/v1\/(agent|responses)$/, respond: respondAgent },
    { name: 'chat', method: 'POST', path: /^\/chat\/completions$/, respond: respondSonar },
  ],
  authenticate,
  fault,
  streamFault(error, request) {
    const told = perplexityError({ status: 500, ...error })
    if (request.endpoint !== 'agent') return dataEvent({ error: told })
    const response = { object: 'response', status: 'failed', output: [], error: told, usage: null }
    return namedEvent('response.failed', {
      type: 'response.failed',
      sequence_number: 99,
      error: told,
      response,
    })
  },
  headers: ({ identifiers }) => ({ 'x-request-id': identifiers.hexadecimal('', 32) }),
}
