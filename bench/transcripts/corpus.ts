import { appendFileSync, closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const largeSession = '0190b3a2-7777-4222-8333-444455556666'
export const largePath = `.claude/projects/-home-dev-shop/${largeSession}.jsonl`

/** Lines of a session of Claude Code: each turn is a prompt, an answer with a tool call, and its result. */
export function turnLines(turn: number, session = largeSession): string[] {
  const id = (part: string): string =>
    `${part}${turn.toString(16).padStart(8, '0')}-1111-4222-8333-444455556666`
  const base = {
    sessionId: session,
    cwd: '/home/dev/shop',
    gitBranch: 'main',
    version: '2.1.325',
    timestamp: new Date(Date.UTC(2026, 10, 1) + turn * 30_000).toISOString(),
  }
  const text = words(turn, 60)
  const usage = { input_tokens: 100 + turn, output_tokens: 20, cache_read_input_tokens: 50 }
  const call = {
    type: 'tool_use',
    id: `toolu_${turn}`,
    name: 'Bash',
    input: { command: `ls ${words(turn, 3)}` },
  }
  const result = { type: 'tool_result', tool_use_id: `toolu_${turn}`, content: words(turn * 7, 120) }
  return [
    { ...base, type: 'user', uuid: id('a'), promptSource: 'typed', message: { role: 'user', content: text } },
    {
      ...base,
      type: 'assistant',
      uuid: id('b'),
      parentUuid: id('a'),
      message: {
        id: `msg_${turn}`,
        role: 'assistant',
        model: 'claude-opus-5',
        content: [{ type: 'text', text: words(turn * 3, 80) }, call],
        usage,
      },
    },
    {
      ...base,
      type: 'user',
      uuid: id('c'),
      parentUuid: id('b'),
      message: { role: 'user', content: [result] },
    },
  ].map((record) => JSON.stringify(record))
}

const vocabulary =
  'total cart price rounding cent invoice ledger index column migrate deploy rollback cache token stream test failing passes review branch merge queue worker socket timeout retry parser header budget'.split(
    ' ',
  )

function words(seed: number, count: number): string {
  let state = seed + 1
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return vocabulary[(state >>> 16) % vocabulary.length]
  }).join(' ')
}

/** Appends bytes to a file below the home folder. */
export function append(home: string, path: string, text: string): void {
  const file = join(home, path)
  mkdirSync(dirname(file), { recursive: true })
  appendFileSync(file, text)
}

/** A session of which nearly all bytes are progress records, with one turn in each megabyte. */
export function writeProgressFile(home: string, bytes: number): { messages: number } {
  const file = join(home, largePath)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  const record = JSON.stringify({
    parentUuid: 'a0000000-1111-4222-8333-444455556666',
    isSidechain: false,
    type: 'progress',
    data: { type: 'bash_progress', output: 'building module after module '.repeat(70) },
  })
  const block = Buffer.from(`${record}\n`.repeat(Math.ceil(1_048_576 / record.length)))
  const handle = openSync(file, 'a')
  let turn = 0
  for (let written = 0; written < bytes; written += block.length) {
    writeSync(handle, block)
    writeSync(handle, `${turnLines(turn++).join('\n')}\n`)
  }
  closeSync(handle)
  return { messages: turn * 4 }
}
