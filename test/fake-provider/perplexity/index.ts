import { dataEvent, namedEvent } from '../sse.ts'
import { jsonBody } from '../provider-api.ts'
import type { ProviderApi } from '../provider-api.ts'
import { respondAgent } from './agent.ts'
import { authenticate, fault, perplexityError } from './fault.ts'
import { respondSonar } from './sonar.ts'

export const perplexity: ProviderApi = {
  name: 'perplexity',
  endpoints: [
    { name: 'agent', method: 'POST', path: /^\/v1\/(agent|responses)$/, respond: respondAgent },
    { name: 'chat', method: 'POST', path: /^\/chat\/completions$/, respond: respondSonar },
    {
      name: 'key',
      method: 'GET',
      path: /^\/async\/chat\/completions$/,
      respond: () => jsonBody(200, { next_token: null, requests: [] }),
    },
  ],
  authenticate,
  fault,
  streamFault(error, request) {
    const reported = perplexityError({ status: 500, ...error })
    if (request.endpoint !== 'agent') return dataEvent({ error: reported })
    const response = { object: 'response', status: 'failed', output: [], error: reported, usage: null }
    return namedEvent('response.failed', {
      type: 'response.failed',
      sequence_number: 99,
      error: reported,
      response,
    })
  },
  headers: ({ identifiers }) => ({ 'x-request-id': identifiers.hexadecimal('', 32) }),
}
