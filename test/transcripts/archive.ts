import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { assistants } from '../../src/transcripts/assistants/index.ts'
import type { TranscriptDetail, TranscriptMessage, TranscriptSession } from '#transcripts/contract'
import type { Product } from '#test/product'
import type { Sample } from './sample.ts'

type Server = Pick<Product, 'call' | 'key'>

export interface Sent {
  assistant: Sample['assistant']
  path: string
  lines: string[]
}

/** The files of a sample as a watcher reads them. */
export function filesOf(sample: Sample): Sent[] {
  return sample.files.map(({ path, records }) => ({
    assistant: sample.assistant,
    path,
    lines: records.map((record) => JSON.stringify(record)),
  }))
}

const bytesOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)

/** A segment as a watcher sends it. */
export function segment(file: Sent, lines: readonly string[], from: number, more: object = {}): object {
  return {
    machine: 'laptop',
    assistant: file.assistant,
    root: '/home/dev/root',
    path: file.path,
    generation: 0,
    from,
    to: from + bytesOf(lines),
    identity: null,
    lines,
    ...more,
  }
}

/** Sends a file in pieces of the given sizes; what is left goes last. */
export async function sendFile(
  { call, key }: Server,
  file: Sent,
  sizes: readonly number[] = [],
  more: object = {},
): Promise<void> {
  const isLines = formOf(file) !== 'document'
  let at = 0
  let position = 0
  for (const size of [...sizes, file.lines.length]) {
    const lines = file.lines.slice(at, at + size)
    if (lines.length === 0) continue
    at += size
    const body = segment(file, lines, position, isLines ? more : { to: position + 1, ...more })
    const { status, json, text } = await call('/api/transcripts/ingest', { key, json: body })
    assert.equal(status, 200, text)
    position = json.offset
  }
}

export function formOf({ assistant, path }: Pick<Sent, 'assistant' | 'path'>): string | undefined {
  return assistants.find(({ id }) => id === assistant)?.source(path)?.form
}

export async function get({ call, key }: Server, path: string) {
  const answer = await call(path, { key })
  assert.equal(answer.status, 200, `${path} ${answer.text}`)
  return answer.json
}

export async function sessions(server: Server, query = '?include=subagents'): Promise<TranscriptSession[]> {
  return (await get(server, `/api/transcripts${query}`)).data as TranscriptSession[]
}

export interface Shown {
  session: TranscriptDetail
  messages: TranscriptMessage[]
  next_cursor: string | null
  prev_cursor: string | null
}

export async function show(server: Server, id: string, query = ''): Promise<Shown> {
  return (await get(server, `/api/transcripts/${id}${query}`)) as Shown
}

/** A message as the samples write it. */
export function lineOf(message: TranscriptMessage): string {
  return [
    message.role,
    message.kind,
    message.origin,
    message.tool_name,
    message.is_error ? 'failed' : null,
    message.content ?? message.image?.mime ?? null,
  ]
    .filter((part) => part !== null)
    .join(' ')
}

export const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex')
