import type { Api, ClientBody } from '../../api.ts'
import { estimateTokens } from '../../wire/estimate-tokens.ts'
import { isObject } from '../../wire/json.ts'
import type { Facts } from './conditions.ts'

/** What conditions ask about a request, read from its body when the first of them asks. */
export function factsOf(api: Pick<Api, 'promptText'>, request: Pick<ClientBody, 'body'>): Facts {
  let known: ReturnType<Facts> | undefined
  return () =>
    (known ??= {
      inputTokens: estimateTokens(api.promptText(request)),
      hasTools: isFilled(request.body['tools']) || isFilled(request.body['functions']),
      hasImages: hasImage(request.body['messages']) || hasImage(request.body['input']),
    })
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

/** The types of parts with an image, in the three APIs. */
const imageTypes = new Set<unknown>(['image_url', 'input_image', 'image'])

/** Parts are in messages, and images also in the results of tools. */
function hasImage(value: unknown, depth = 0): boolean {
  if (depth > 6) return false
  if (Array.isArray(value)) return value.some((each) => hasImage(each, depth + 1))
  if (!isObject(value)) return false
  return (
    imageTypes.has(value['type']) ||
    hasImage(value['content'], depth + 1) ||
    hasImage(value['output'], depth + 1)
  )
}
