import { callIds, compose } from '../completion.ts'
import { seal } from '../identifiers.ts'
import { objectOf } from '../json.ts'
import { jsonBody } from '../provider-api.ts'
import type { Exchange, Outgoing } from '../provider-api.ts'
import type { RecordedRequest } from '../record.ts'
import { checkResponses } from './check-responses.ts'
import { refuse } from './fault.ts'
import { usage } from './responses.ts'
import { readResponsesPrompt } from './responses-prompt.ts'

const fields = new Set(
  'input instructions model previous_response_id prompt_cache_key prompt_cache_retention service_tier'.split(
    ' ',
  ),
)

/** The conversation as one sealed item. */
export function respondCompaction({ request, reply, identifiers }: Exchange): Outgoing {
  const body = objectOf(request.json)
  if (reply.unchecked !== true) check(request)
  const prompt = readResponsesPrompt(body, 'none')
  const completion = compose(prompt, reply, callIds(identifiers, 'call_', 24), { read: 0, write: 0 })
  return jsonBody(200, {
    id: identifiers.hexadecimal('resp_', 50),
    object: 'response.compaction',
    created_at: Math.floor(Date.now() / 1000),
    output: [
      {
        id: identifiers.hexadecimal('cmp_', 50),
        type: 'compaction',
        encrypted_content: seal({ conversation: body['input'] }),
      },
    ],
    usage: usage(completion),
  })
}

function check(request: RecordedRequest): void {
  checkResponses(request)
  const unknown = Object.keys(objectOf(request.json)).find((key) => !fields.has(key))
  if (unknown !== undefined) refuse(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter')
}
