/** Rollouts of Codex whose turns have no ids: a text stands in an item and in an event, and may be repeated later. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codex } from '../../src/transcripts/assistants/codex/index.ts'
import { Derived, readLines } from './derive.ts'
import { at, pngData } from './sample.ts'

const thread = '01a1e5a4-0000-7000-8000-000000000021'
const path = `sessions/2026/11/16/rollout-2026-11-16T12-00-00-${thread}.jsonl`
const item = (payload: object) => ({ type: 'response_item', payload })
const event = (payload: object) => ({ type: 'event_msg', payload })
const said = (role: string, text: string, ...more: object[]) =>
  item({ type: 'message', role, content: [{ type: 'input_text', text }, ...more] })
const asked = (text: string, ...more: object[]) => [
  said('user', text, ...more),
  event({ type: 'user_message', message: text }),
  { type: 'turn_context', payload: { model: 'gpt-6-sol' } },
]
const answered = (text: string) => [event({ type: 'agent_message', message: text }), said('assistant', text)]
const image = { type: 'input_image', image_url: `data:image/png;base64,${pngData}` }
const aborted = event({ type: 'turn_aborted', reason: 'interrupted' })

function derive(records: object[], reopens: () => boolean): Derived {
  const source = codex.source(path)
  assert.ok(source)
  const lines = records.map((record, index) => JSON.stringify({ timestamp: at(index), ...record }))
  const derived = new Derived()
  readLines(codex, source, lines, derived, reopens)
  return derived
}

test('what a person and the model say again in a later turn is shown again', () => {
  const records = [
    ...asked('fix it', image),
    item({ type: 'reasoning', summary: [{ text: 'A file.' }] }),
    ...answered('Done.'),
    ...asked('continue', image),
    ...answered('Done.'),
    ...asked('continue', image),
    aborted,
    ...asked('continue'),
    item({ type: 'function_call', call_id: 'c1', name: 'exec_command', arguments: '{}' }),
    ...asked('continue'),
    ...answered('All done.'),
  ]
  for (const reopens of [() => false, () => true])
    assert.deepEqual(derive(records, reopens).lines(thread), [
      'user text human fix it',
      'user image human image/png',
      'assistant thinking A file.',
      'assistant text Done.',
      'user text human continue',
      'user image human image/png',
      'assistant text Done.',
      'user text human continue',
      'user image human image/png',
      'system text injected Turn aborted: interrupted',
      'user text human continue',
      'assistant tool_call exec_command',
      'user text human continue',
      'assistant text All done.',
    ])
})

test('a text has the key that it has without numbers, unless an earlier turn has it too', () => {
  const records = [
    ...asked('fix it', image),
    ...answered('Done.'),
    ...asked('add tests', image),
    ...answered('Added.'),
    ...asked('fix it', image),
    ...answered('Done.'),
  ]
  assert.deepEqual(
    [
      ...(derive(records, () => true)
        .messages.get(thread)
        ?.keys() ?? []),
    ],
    [
      'user::qw0TB3Zs4I6t_cdl',
      'qw0TB3Zs4I6t_cdl/image1',
      'text//7SUYZJh8Nn6WQfvc',
      'user::9C-NgZE32XanS5UZ',
      '9C-NgZE32XanS5UZ/image1',
      'text//qkpRh_jsrGd9scmL',
      'user:#2:qw0TB3Zs4I6t_cdl',
      '#2qw0TB3Zs4I6t_cdl/image1',
      'text/#2/7SUYZJh8Nn6WQfvc',
    ],
  )
})
