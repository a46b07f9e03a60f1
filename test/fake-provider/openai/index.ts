import type { ErrorSpec } from '../reply.ts'
import { dataEvent, namedEvent } from '../sse.ts'
import { jsonBody } from '../provider-api.ts'
import type { ProviderApi } from '../provider-api.ts'
import { respondTranscription } from './audio.ts'
import { respondChat } from './chat.ts'
import { authenticate, fault, openaiError } from './fault.ts'
import { describeModels } from './models.ts'
import { respondCompaction } from './compaction.ts'
import { respondInputTokens, respondResponse } from './responses.ts'
import { storedEndpoints } from './stored.ts'

export const openai: ProviderApi = {
  name: 'openai',
  endpoints: [
    { name: 'chat', method: 'POST', path: /^\/chat\/completions$/, respond: respondChat },
    { name: 'responses', method: 'POST', path: /^\/responses$/, respond: respondResponse },
    { name: 'compact', method: 'POST', path: /^\/responses\/compact$/, respond: respondCompaction },
    ...storedEndpoints,
    {
      name: 'count_tokens',
      method: 'POST',
      path: /^\/responses\/input_tokens$/,
      respond: respondInputTokens,
    },
    {
      name: 'transcriptions',
      method: 'POST',
      path: /^\/audio\/transcriptions$/,
      respond: respondTranscription,
    },
    { name: 'models', method: 'GET', path: /^\/models$/, respond: () => jsonBody(200, describeModels()) },
  ],
  authenticate,
  fault,
  streamFault(error, request) {
    const spec: ErrorSpec = { status: 500, ...error }
    if (request.endpoint !== 'responses') return dataEvent({ error: openaiError(spec) })
    const { message, code } = openaiError(spec)
    const event = { type: 'error', code: code ?? 'server_error', message, param: null, sequence_number: 99 }
    return namedEvent('error', event)
  },
  headers: ({ identifiers }) => ({
    'x-request-id': identifiers.hexadecimal('req_', 32),
    'openai-organization': 'org-fake',
    'openai-processing-ms': '12',
    'openai-version': '2020-10-01',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-remaining-requests': '9999',
    'x-ratelimit-reset-requests': '6ms',
    'x-ratelimit-limit-tokens': '2000000',
    'x-ratelimit-remaining-tokens': '1999000',
    'x-ratelimit-reset-tokens': '30ms',
  }),
}
