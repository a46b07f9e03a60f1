import type { Sent } from './archive.ts'

/** A session as Claude Code writes it, made record by record. */
export class Conversation {
  readonly id: string
  readonly file: Sent
  #count = 0
  #time: number

  constructor(id: string, start: number = Date.now() - 3_600_000, folder = '-home-dev-shop') {
    this.id = id
    this.#time = start
    this.file = { assistant: 'claude-code', path: `projects/${folder}/${id}.jsonl`, lines: [] }
  }

  #add(type: string, message: object, fields: object = {}): this {
    this.#time += 1_000
    this.file.lines.push(
      JSON.stringify({
        type,
        uuid: `${this.id}-${++this.#count}`,
        parentUuid: this.#count === 1 ? null : `${this.id}-${this.#count - 1}`,
        timestamp: new Date(this.#time).toISOString(),
        sessionId: this.id,
        cwd: '/home/dev/shop',
        gitBranch: 'main',
        version: '2.1.325',
        isSidechain: false,
        ...fields,
        message,
      }),
    )
    return this
  }

  #assistant(block: object): this {
    const id = `msg_${this.id}_${this.#count}`
    const usage = { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 5 }
    return this.#add('assistant', { id, model: 'claude-opus-5', role: 'assistant', content: [block], usage })
  }

  /** Written by a person. */
  prompt(content: unknown): this {
    return this.#add('user', { role: 'user', content }, { promptSource: 'typed', origin: { kind: 'human' } })
  }

  injected(content: string): this {
    return this.#add('user', { role: 'user', content }, { isMeta: true })
  }

  answer(text: string): this {
    return this.#assistant({ type: 'text', text })
  }

  thinking(thinking: string): this {
    return this.#assistant({ type: 'thinking', thinking, signature: 's' })
  }

  tool(name: string, input: object, content: unknown, isError = false): this {
    const id = `toolu_${this.id}_${this.#count}`
    this.#assistant({ type: 'tool_use', id, name, input })
    const block = { type: 'tool_result', tool_use_id: id, content, ...(isError && { is_error: true }) }
    return this.#add('user', { role: 'user', content: [block] }, { toolUseResult: {} })
  }

  title(aiTitle: string): this {
    this.file.lines.push(JSON.stringify({ type: 'ai-title', aiTitle, sessionId: this.id }))
    return this
  }

  compaction(summary: string): this {
    this.#add('system', {}, { subtype: 'compact_boundary', compactMetadata: { trigger: 'auto' } })
    return this.#add('user', { role: 'user', content: summary }, { isCompactSummary: true })
  }
}

/** Turns of a prompt, two tool calls and an answer: about this many messages. */
export function longConversation(id: string, messages: number): Conversation {
  const conversation = new Conversation(id, Date.UTC(2026, 9, 1))
  for (let turn = 0; turn * 6 < messages; turn++)
    conversation
      .prompt(`Prompt ${turn}: what does file ${turn} do?`)
      .tool('Read', { file_path: `/home/dev/shop/file-${turn}.ts` }, `export const value = ${turn}`)
      .tool('Bash', { command: `npm test -- file-${turn}` }, 'ok\n'.repeat(turn % 9), turn % 10 === 0)
      .answer(`Answer ${turn}. It exports a value.\n\n${'A sentence of the answer. '.repeat(turn % 12)}`)
  return conversation
}
