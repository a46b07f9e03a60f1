import { Fault, faults } from '#kernel/errors'
import type { ErrorResponse } from '../../provider.ts'
import { withoutSecrets } from '../../wire/fault.ts'
import { responseFault, readError, reportedFault, type ReadError } from '../../passthrough/fault.ts'
import { objectOf, parseJson, stringOf } from '../../wire/json.ts'

const name = 'OpenRouter'
const policyErrors = ['content_policy_violation', 'refusal']

export function readFault(response: ErrorResponse): Fault {
  const body = parseJson(response.body)
  return moderated(body, response.status) ?? responseFault(name, response, explained(body))
}

/** An error reported with status 200, in a whole response or a stream. */
export function reportedError(body: unknown): Fault {
  return moderated(body, 403) ?? reportedFault(name, body, explained(body))
}

/** At OpenRouter 403 mostly means that moderation refused the text: the key is good and the caller must know why. */
function moderated(body: unknown, status: number): Fault | undefined {
  const metadata = metadataOf(body)
  const isPolicy =
    policyErrors.includes(stringOf(metadata['error_type'])) || Array.isArray(metadata['reasons'])
  if (status !== 403 || !isPolicy) return undefined
  const message = withoutSecrets(explained(body).message)
  const said = reportedFault(name, body, { ...explained(body), status: 400 }).upstream
  return new Fault(faults.provider, message || 'The content policy of OpenRouter refused the text.', {
    status,
    upstream: said && { ...said, status },
  })
}

/** "Provider returned error" alone does not help: the upstream's own message is added. */
function explained(body: unknown): ReadError {
  const error = readError(body)
  const { raw, provider_name: provider } = metadataOf(body)
  const detail = readError(parseJson(stringOf(raw))).message || stringOf(raw)
  if (detail === '') return error
  const who = stringOf(provider)
  return { ...error, message: `${error.message} (${who === '' ? '' : `${who}: `}${detail})`.slice(0, 2_000) }
}

function metadataOf(body: unknown) {
  return objectOf(objectOf(objectOf(body)['error'])['metadata'])
}
