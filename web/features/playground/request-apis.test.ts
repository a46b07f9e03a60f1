import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf } from './request-body.ts'
import { bodyFor, type Api } from './request-apis.ts'
import { noSettings, type Settings } from './settings.ts'
import { snippetsFor } from './snippets.ts'
import type { Turn } from './types.ts'

const user = (text: string): Turn => ({ role: 'user', id: 1, text })
const said = (text: string): Turn => ({ ...user(text), role: 'assistant' }) as Turn
const asked = (api: Api, settings: Partial<Settings>, model = 'gemini-x', turns = [user('hi')]) =>
  bodyFor(api, bodyOf(model, { ...noSettings, ...settings }, turns))

test('a longer conversation is sent completely in every API', () => {
  const turns = [user('one'), said('yes'), user('two')]
  const spoken = [
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'yes' },
    { role: 'user', content: 'two' },
  ]
  assert.deepEqual(asked('chat', {}, 'm', turns).fields, { model: 'm', messages: spoken })
  assert.deepEqual(asked('responses', {}, 'm', turns).fields, { model: 'm', input: spoken })
  assert.deepEqual(asked('messages', {}, 'm', turns).fields, {
    model: 'm',
    max_tokens: 8192,
    messages: spoken,
  })
})

test('either name of the token limit becomes that of the API', () => {
  assert.equal(asked('responses', { maxTokens: '100' }, 'gpt-x').fields['max_output_tokens'], 100)
  assert.equal(asked('messages', { maxTokens: '100' }, 'gpt-x').fields['max_tokens'], 100)
  assert.equal(asked('chat', { maxTokens: '100' }, 'gpt-x').fields['max_completion_tokens'], 100)
  assert.deepEqual(asked('messages', { maxTokens: '100' }, 'gpt-x').notes, [])
})

test('differences between the settings and a Messages request are noted', () => {
  assert.match(asked('messages', {}).notes.join(), /requires max_tokens; 8192/)
  const hot = asked('messages', { temperature: '1.5', maxTokens: '9' })
  assert.equal(hot.fields['temperature'], 1)
  assert.deepEqual(hot.notes, ['The Messages API allows temperatures up to 1, so 1.5 becomes 1.'])
  const thinking = { temperature: '0.5', effort: 'low', maxTokens: '9' } as const
  const claude = asked('messages', thinking, 'claude-x')
  assert.equal(claude.fields['temperature'], undefined)
  assert.deepEqual(claude.notes, [
    'Claude accepts no temperature with reasoning, so it is left out.',
    'Claude gets this request unchanged: models without reasoning reject it.',
  ])
  assert.equal(asked('messages', thinking).fields['temperature'], 0.5)
})

test('reasoning uses the fields of each API', () => {
  assert.equal(asked('chat', { effort: 'minimal' }).fields['reasoning_effort'], 'minimal')
  assert.deepEqual(asked('responses', { effort: 'minimal' }).fields['reasoning'], { effort: 'minimal' })
  const { thinking, output_config: config } = asked('messages', { effort: 'minimal' }).fields
  assert.deepEqual([thinking, config], [{ type: 'adaptive' }, { effort: 'low' }])
  const off = asked('messages', { effort: 'none' }).fields
  assert.deepEqual([off['thinking'], off['output_config']], [{ type: 'disabled' }, undefined])
})

const codeFor = (api: Api, settings: Partial<Settings>, text = 'hi', stream = false) =>
  snippetsFor({
    baseUrl: 'http://signalbox',
    body: bodyOf('m', { ...noSettings, ...settings }, [user(text)]),
    api,
    stream,
  }).snippets

test('quotes and line breaks survive in every snippet', () => {
  const text = `It's "two"\nlines \\ \${here} \`there\``
  for (const api of ['chat', 'responses', 'messages'] as const) {
    const [curl, python, typescript] = codeFor(api, {}, text)
    const json = /-d '(.*)'$/s.exec(curl?.source ?? '')?.[1]?.replaceAll(`'\\''`, "'") ?? ''
    assert.ok(json.includes(JSON.stringify(text)))
    assert.doesNotThrow(() => void JSON.parse(json))
    for (const snippet of [python, typescript]) assert.ok(snippet?.source.includes(JSON.stringify(text)))
  }
})

test('a client that rejects long responses gets a timeout', () => {
  const [, python, typescript] = codeFor('messages', { maxTokens: '64000' })
  assert.match(python?.source ?? '', /api_key="YOUR_KEY",\n    timeout=3600,\n\)/)
  assert.match(typescript?.source ?? '', /apiKey: 'YOUR_KEY',\n  timeout: 3_600_000,\n\}\)/)
  const others = [
    ...codeFor('messages', { maxTokens: '64000' }, 'hi', true),
    ...codeFor('messages', {}),
    ...codeFor('chat', { maxTokens: '64000' }),
  ]
  for (const { source } of others) assert.doesNotMatch(source, /timeout/)
})
