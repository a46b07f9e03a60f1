import { randomUUID } from 'node:crypto'
import type { Usage } from '../provider.ts'

export interface Delta {
  role?: 'assistant'
  content?: string | null
  refusal?: string
  reasoning_content?: string
  reasoning?: string
  reasoning_details?: unknown[]
  tool_calls?: unknown[]
  annotations?: unknown[]
  images?: unknown[]
  extra_content?: unknown
}

/** Writes chat-completion chunks for streams that are translated: same id, time and model in every chunk. */
export class ChunkWriter {
  readonly id: string
  readonly #head: string
  readonly #wantsUsage: boolean

  constructor(model: string, wantsUsage: boolean, id = `chatcmpl-${randomUUID().replaceAll('-', '')}`) {
    this.id = id
    this.#wantsUsage = wantsUsage
    const created = Math.floor(Date.now() / 1000)
    this.#head = `data: {"id":${JSON.stringify(id)},"object":"chat.completion.chunk","created":${created},"model":${JSON.stringify(model)}`
  }

  /** `members` go beside `choices`. */
  delta(
    delta: Delta,
    finishReason: string | null = null,
    index = 0,
    members: Readonly<Record<string, unknown>> = {},
  ): string {
    const usage = this.#wantsUsage ? ',"usage":null' : ''
    const more = Object.entries(members)
      .map(([key, value]) => `,${JSON.stringify(key)}:${JSON.stringify(value)}`)
      .join('')
    return `${this.#head},"choices":[{"index":${index},"delta":${JSON.stringify(delta)},"logprobs":null,"finish_reason":${JSON.stringify(finishReason)}}]${usage}${more}}\n\n`
  }

  /** The usage chunk, only for clients that request it. */
  usage(usage: Usage | null, extra: Record<string, unknown> = {}): string {
    if (!this.#wantsUsage || !usage) return ''
    return `${this.#head},"choices":[],"usage":${JSON.stringify({ ...toOpenAiUsage(usage), ...extra })}}\n\n`
  }

  done(): string {
    return 'data: [DONE]\n\n'
  }
}

/** Usage as chat completions state it: prompt tokens include cached ones, completion tokens include reasoning. */
export function toOpenAiUsage(usage: Usage) {
  const prompt = usage.uncached + usage.cacheRead + usage.cacheWrite + usage.cacheWriteLong
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output,
    total_tokens: prompt + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite + usage.cacheWriteLong,
      audio_tokens: usage.audioInput,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: usage.audioOutput },
  }
}

export const noUsage: Usage = {
  uncached: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  output: 0,
  reasoning: 0,
  audioInput: 0,
  audioOutput: 0,
  statedCost: null,
  units: {},
}
