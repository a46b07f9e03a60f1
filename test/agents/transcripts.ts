import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { assistants, type AssistantId } from '../../src/transcripts/assistants/index.ts'
import { Derived, readLines } from '../transcripts/derive.ts'

/** What the importer reads in the files that an assistant left in its home. */
export async function importHome(home: string, id: AssistantId): Promise<Derived> {
  const assistant = assistants.find((each) => each.id === id)
  assert.ok(assistant)
  const derived = new Derived()
  for (const root of assistant.roots(home).filter(isFolder)) {
    assert.ok(await assistant.isRoot(root), `${root} is recognised`)
    for (const file of filesBelow(root)) {
      const source = assistant.source(relative(root, file))
      if (source === null) continue
      const lines =
        source.form === 'database'
          ? (assistant.snapshot?.(file, null).lines ?? [])
          : linesOf(file, source.form)
      readLines(assistant, source, lines, derived)
    }
  }
  return derived
}

function linesOf(file: string, form: 'lines' | 'document'): string[] {
  const text = readFileSync(file, 'utf8')
  if (form === 'lines') return text.split('\n').filter((line) => line !== '')
  try {
    return [JSON.stringify(JSON.parse(text))]
  } catch {
    return [JSON.stringify(text)]
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** The scene as it was played: the question of a person, a tool's call with its result, and the conclusion. */
export function checkScene(derived: Derived, question: string, conclusion: string): void {
  const messages = [...derived.messages.values()].flatMap((rows) => [...rows.values()])
  const summary = JSON.stringify(
    [...derived.messages.keys()].map((key) => derived.lines(key)),
    null,
    1,
  )
  const human = messages.filter(({ origin }) => origin === 'human').map(({ content }) => content)
  assert.deepEqual(human, [question], summary)
  const conclusions = messages.filter(({ kind, content }) => kind === 'text' && content === conclusion)
  assert.equal(conclusions.length, 1, summary)
  const calls = messages.filter(({ kind }) => kind === 'tool_call')
  assert.ok(calls.length > 0, summary)
  for (const { toolCallKey } of calls)
    assert.ok(
      messages.some((each) => each.kind === 'tool_result' && each.toolCallKey === toolCallKey),
      summary,
    )
  assert.equal(derived.unknown, 0, 'every record is known')
}

/** Every response that the transcript counts is one that the gateway metered, with the same tokens. */
export function checkTokens(derived: Derived, metered: { usage: Record<string, number> | null }[]): void {
  const rest = metered.map(({ usage }) => {
    const input = ['uncached', 'cacheRead', 'cacheWrite', 'cacheWriteLong'].map((name) => usage?.[name] ?? 0)
    return `${input.reduce((sum, count) => sum + count, 0)}/${usage?.['output']}`
  })
  assert.ok(derived.usage.size >= 2, 'the question, and the result of the tool')
  for (const { input, output } of derived.usage.values()) {
    const index = rest.indexOf(`${input}/${output}`)
    assert.ok(index >= 0, `${input}/${output} is one of ${rest.join(', ')}`)
    rest.splice(index, 1)
  }
}
