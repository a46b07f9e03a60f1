import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct } from '../harness/product.ts'
import { lineOf, sendFile, sessions, show } from './archive.ts'
import { Conversation } from './conversation.ts'

const server = await startProduct()

test('a session is narrowed to prompts, tools or failures, whole and page by page', async () => {
  const { file, id: key } = new Conversation('5b7f0f7e-0000-4000-8000-000000000001')
    .injected('<system-reminder>Remember.</system-reminder>')
    .prompt('Fix the total.')
    .tool('Bash', { command: 'ls' }, 'total.ts')
    .answer('One file.')
    .tool('Bash', { command: 'npm test' }, 'Exit code 1', true)
    .prompt('And the tax.')
  await sendFile(server, file)
  const id = (await sessions(server, `?external_id=${key}`))[0]?.id ?? ''
  const lines = async (query: string) => (await show(server, id, query)).messages.map(lineOf)
  assert.deepEqual(await lines('?show=prompts'), [
    'user text human Fix the total.',
    'user text human And the tax.',
  ])
  assert.deepEqual(await lines('?show=tools'), [
    'assistant tool_call Bash',
    'tool tool_result total.ts',
    'assistant tool_call Bash',
    'tool tool_result failed Exit code 1',
  ])
  assert.deepEqual(await lines('?show=errors'), [
    'assistant tool_call Bash',
    'tool tool_result failed Exit code 1',
  ])
  const newest = await show(server, id, '?show=prompts&order=desc&limit=1')
  assert.deepEqual(newest.messages.map(lineOf), ['user text human And the tax.'])
  assert.deepEqual(await lines(`?show=prompts&order=desc&limit=1&cursor=${newest.next_cursor}`), [
    'user text human Fix the total.',
  ])
  const refused = await server.call(`/api/transcripts/${id}?show=jokes`, { key: server.key })
  assert.equal(refused.status, 400)
})
