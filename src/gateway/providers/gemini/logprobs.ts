import { arrayOf, isObject, objectOf, stringOf } from '../../wire/json.ts'

/** Token probabilities as chat completions state them; null when there are none. */
export function toLogprobs(result: unknown): unknown {
  if (!isObject(result)) return null
  const alternatives = arrayOf(result['topCandidates'])
  const content = arrayOf(result['chosenCandidates']).map((chosen, index) => ({
    ...toToken(chosen),
    top_logprobs: arrayOf(objectOf(alternatives[index])['candidates']).map(toToken),
  }))
  return { content, refusal: null }
}

function toToken(value: unknown) {
  const candidate = objectOf(value)
  const token = stringOf(candidate['token'])
  const logprob = candidate['logProbability']
  return {
    token,
    logprob: typeof logprob === 'number' ? logprob : 0,
    bytes: [...Buffer.from(token)],
  }
}
