import { Fault, faults } from '#kernel/errors'
import type { ErrorResponse } from '../../provider.ts'
import { withoutSecrets } from '../../wire/fault.ts'
import { answerFault, readError, reportedFault, type ReadError } from '../../passthrough/fault.ts'
import { objectOf, parseJson, stringOf } from '../../wire/json.ts'

const name = 'OpenRouter'
const policyErrors = ['content_policy_violation', 'refusal']

export function openRouterFault(answer: ErrorResponse): Fault {
  const body = parseJson(answer.body)
  return moderated(body, answer.status) ?? answerFault(name, answer, explained(body))
}

/** An error told with status 200, in a plain answer or a stream. */
export function openRouterReported(body: unknown): Fault {
  return moderated(body, 403) ?? reportedFault(name, body, explained(body))
}

/** Here 403 mostly means that the text was refused by moderation; the key is good and the caller must know why. */
function moderated(body: unknown, status: number): Fault | undefined {
  const metadata = metadataOf(body)
  const isPolicy =
    policyErrors.includes(stringOf(metadata['error_type'])) || Array.isArray(metadata['reasons'])
  if (status !== 403 || !isPolicy) return undefined
  const message = withoutSecrets(explained(body).message)
  return new Fault(faults.provider, message || 'OpenRouter refused the text by its policy.', { status })
}

/** "Provider returned error" alone helps nobody: the upstream's own words are added. */
function explained(body: unknown): ReadError {
  const error = readError(body)
  const { raw, provider_name: provider } = metadataOf(body)
  const said = readError(parseJson(stringOf(raw))).message || stringOf(raw)
  if (said === '') return error
  const who = stringOf(provider)
  return { ...error, message: `${error.message} (${who === '' ? '' : `${who}: `}${said})`.slice(0, 2_000) }
}

function metadataOf(body: unknown) {
  return objectOf(objectOf(objectOf(body)['error'])['metadata'])
}
