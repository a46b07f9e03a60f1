import { slices } from '../completion.ts'
import type { Completion } from '../completion.ts'
import { dataEvent, doneEvent } from '../sse.ts'

export interface ChatRendering {
  id: string
  model: string
  tier: string
  choices: number
  logprobs: boolean
  includeUsage: boolean
  obfuscate: boolean
}

function chatUsage(completion: Completion) {
  const { input, cached, cacheWrite, output, reasoning } = completion.usage
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

function envelope(how: ChatRendering, object: string) {
  return {
    id: how.id,
    object,
    created: Math.floor(Date.now() / 1000),
    model: how.model,
    service_tier: how.tier,
    system_fingerprint: 'fp_5ba1f0c2d3',
  }
}

export function renderChat(completion: Completion, how: ChatRendering): unknown {
  const message = {
    role: 'assistant',
    content:
      completion.text === '' && (completion.calls.length > 0 || completion.refusal !== null)
        ? null
        : completion.text,
    ...(completion.calls.length === 0
      ? {}
      : {
          tool_calls: completion.calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
    refusal: completion.refusal,
    annotations: [],
  }
  return {
    ...envelope(how, 'chat.completion'),
    choices: Array.from({ length: how.choices }, (_, index) => ({
      index,
      message,
      logprobs: how.logprobs ? { content: [...completion.pieces()].map(tokenOf), refusal: null } : null,
      finish_reason: finishReason(completion),
    })),
    usage: chatUsage(completion),
  }
}

export function* renderChatStream(completion: Completion, how: ChatRendering): Iterable<string> {
  const shared = envelope(how, 'chat.completion.chunk')
  const usage = how.includeUsage ? { usage: null } : {}
  let chunks = 0
  const chunk = (index: number, delta: unknown, finish: string | null = null, piece?: string) => {
    const logprobs = how.logprobs && piece !== undefined ? { content: [tokenOf(piece)], refusal: null } : null
    chunks += 1
    // Padding of changing length hides the size of a token from who counts bytes on the line.
    const padding = how.obfuscate ? { obfuscation: 'aB3dE5fG7hJ9kL'.slice(0, 2 + (chunks % 12)) } : {}
    return dataEvent({
      ...shared,
      choices: [{ index, delta, logprobs, finish_reason: finish }],
      ...usage,
      ...padding,
    })
  }
  for (let index = 0; index < how.choices; index += 1) {
    const content = completion.calls.length > 0 && completion.text === '' ? null : ''
    yield chunk(index, { role: 'assistant', content, refusal: null })
    if (completion.refusal !== null) yield chunk(index, { refusal: completion.refusal })
    for (const piece of completion.pieces()) yield chunk(index, { content: piece }, null, piece)
    for (const [place, call] of completion.calls.entries()) {
      yield chunk(index, {
        tool_calls: [
          { index: place, id: call.id, type: 'function', function: { name: call.name, arguments: '' } },
        ],
      })
      for (const piece of slices(call.arguments, 10)) {
        yield chunk(index, { tool_calls: [{ index: place, function: { arguments: piece } }] })
      }
    }
    yield chunk(index, {}, finishReason(completion))
  }
  if (how.includeUsage) yield dataEvent({ ...shared, choices: [], usage: chatUsage(completion) })
  yield doneEvent
}

/** A refusal by the model ends with `stop`; the filter ends with its own word. */
function finishReason(completion: Completion): string {
  if (completion.nativeFinish !== undefined) return completion.nativeFinish
  return completion.refusal !== null ? 'stop' : completion.finish
}

function tokenOf(piece: string) {
  return { token: piece, logprob: -0.25, bytes: [...Buffer.from(piece)], top_logprobs: [] }
}
