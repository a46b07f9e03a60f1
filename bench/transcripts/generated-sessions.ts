/** Sessions as Claude Code writes them, generated: words with the frequencies of a language, tools, results, edits. */

export interface GeneratedSession {
  path: string
  lines: string[]
  /** Blocks that become messages. */
  messages: number
  /** Characters of what people read and search. */
  text: number
}

const vocabulary = 30_000
const perTurn = 5

/** A generator with a seed, so that a corpus can be made again. */
function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const syllables = 'ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu za bre cla dri flo gru'.split(
  ' ',
)

function word(rank: number): string {
  let text = ''
  for (let rest = rank + 7; rest > 0; rest = Math.floor(rest / syllables.length))
    text += syllables[rest % syllables.length] ?? ''
  return text
}

const words = Array.from({ length: vocabulary }, (_, rank) => word(rank))

class Writer {
  readonly lines: string[] = []
  messages = 0
  text = 0
  readonly #next: () => number
  readonly #session: string
  readonly #start: number
  #record = 0
  #parent: string | null = null

  constructor(seed: number, session: string, start: number) {
    this.#next = random(seed)
    this.#session = session
    this.#start = start
  }

  /** Of a common word there are many, of a rare one few. */
  prose(length: number): string {
    const parts: string[] = []
    for (let characters = 0; characters < length; characters += (parts.at(-1)?.length ?? 0) + 1)
      parts.push(words[Math.floor(vocabulary ** this.#next() - 1)] ?? 'the')
    this.text += length
    return parts.join(' ')
  }

  size(mean: number): number {
    return Math.floor(mean * (0.2 + 1.6 * this.#next()))
  }

  chance(share: number): boolean {
    return this.#next() < share
  }

  write(type: 'user' | 'assistant', message: object, more: object = {}): void {
    const uuid = `${this.#session.slice(0, 24)}${this.#record.toString(16).padStart(12, '0')}`
    this.lines.push(
      JSON.stringify({
        parentUuid: this.#parent,
        isSidechain: false,
        userType: 'external',
        cwd: '/home/dev/shop',
        sessionId: this.#session,
        version: '2.1.325',
        gitBranch: 'main',
        type,
        message,
        uuid,
        timestamp: new Date(this.#start + this.#record * 4_000).toISOString(),
        ...more,
      }),
    )
    this.#parent = uuid
    this.#record++
    this.messages++
  }
}

function block(writer: Writer, id: string, index: number, content: object): void {
  const usage = { input_tokens: 12, cache_read_input_tokens: 20_000, output_tokens: 210 }
  writer.write(
    'assistant',
    { id, type: 'message', role: 'assistant', model: 'claude-opus-5', content: [content], usage },
    { requestId: `req_${id}`, apiBlockIndex: index },
  )
}

function turn(writer: Writer, number: number, session: string): void {
  const id = `msg_${session.slice(0, 8)}${number}`
  const call = `toolu_${session.slice(0, 8)}${number}`
  writer.write('user', { role: 'user', content: writer.prose(writer.size(160)) }, { promptSource: 'typed' })
  block(writer, id, 0, { type: 'thinking', thinking: writer.prose(writer.size(400)), signature: 'c2ln' })
  const input = writer.chance(0.5)
    ? { command: writer.prose(60), description: writer.prose(30) }
    : {
        file_path: `/home/dev/shop/${word(number % 900)}.ts`,
        old_string: writer.prose(150),
        new_string: writer.prose(180),
      }
  block(writer, id, 1, { type: 'tool_use', id: call, name: 'command' in input ? 'Bash' : 'Edit', input })
  const output = writer.prose(writer.size(1_500))
  writer.write(
    'user',
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: call, content: output }] },
    {
      toolUseResult:
        'command' in input
          ? { stdout: output, stderr: '' }
          : { filePath: input.file_path, structuredPatch: [] },
    },
  )
  block(writer, `${id}b`, 0, { type: 'text', text: writer.prose(writer.size(600)) })
}

/** The session with this number; a thousand messages each, one session every two hours. */
export function generateSession(number: number, messages = 1_000): GeneratedSession {
  const session = `5e551000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
  const unique = `${number.toString(16).padStart(8, '0')}${session.slice(8)}`
  const writer = new Writer(number + 1, unique, Date.UTC(2026, 10, 16) - number * 7_200_000)
  for (let done = 0; done < messages; done += perTurn) turn(writer, done, unique)
  return {
    path: `projects/-home-dev-shop/${unique}.jsonl`,
    lines: writer.lines,
    messages: writer.messages,
    text: writer.text,
  }
}

/** A word that is in every message, one in some and one in few. */
export const sampleWords = { common: words[3] ?? '', usual: words[400] ?? '', rare: words[29_000] ?? '' }
