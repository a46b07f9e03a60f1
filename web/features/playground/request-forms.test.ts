import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf } from './request-body.ts'
import { inForm, type Form } from './request-forms.ts'
import { noSettings, type Settings } from './settings.ts'
import { snippetsFor } from './snippets.ts'
import type { Turn } from './types.ts'

const user = (text: string): Turn => ({ role: 'user', id: 1, text })
const said = (text: string): Turn => ({ ...user(text), role: 'assistant' }) as Turn
const asked = (form: Form, settings: Partial<Settings>, model = 'gemini-x', turns = [user('hi')]) =>
  inForm(form, bodyOf(model, { ...noSettings, ...settings }, turns))

test('a longer conversation is sent whole in every form', () => {
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

test('either name of the limit becomes that of the form', () => {
  assert.equal(asked('responses', { maxTokens: '100' }, 'gpt-x').fields['max_output_tokens'], 100)
  assert.equal(asked('messages', { maxTokens: '100' }, 'gpt-x').fields['max_tokens'], 100)
  assert.equal(asked('chat', { maxTokens: '100' }, 'gpt-x').fields['max_completion_tokens'], 100)
  assert.deepEqual(asked('messages', { maxTokens: '100' }, 'gpt-x').notes, [])
})

test('what messages cannot say as the settings do is told', () => {
  assert.match(asked('messages', {}).notes.join(), /must name a longest answer: 8192/)
  const hot = asked('messages', { temperature: '1.5', maxTokens: '9' })
  assert.equal(hot.fields['temperature'], 1)
  assert.deepEqual(hot.notes, ['Temperatures of Messages end at 1, which stands for 1.5.'])
  const thinking = { temperature: '0.5', effort: 'low', maxTokens: '9' } as const
  const claude = asked('messages', thinking, 'claude-x')
  assert.equal(claude.fields['temperature'], undefined)
  assert.deepEqual(claude.notes, [
    'Claude takes no temperature while it reasons: it is left out.',
    'Claude gets this as it stands: a model that cannot reason so refuses it.',
  ])
  assert.equal(asked('messages', thinking).fields['temperature'], 0.5)
})

test('reasoning is asked for in the words of the form', () => {
  assert.equal(asked('chat', { effort: 'minimal' }).fields['reasoning_effort'], 'minimal')
  assert.deepEqual(asked('responses', { effort: 'minimal' }).fields['reasoning'], { effort: 'minimal' })
  const { thinking, output_config: config } = asked('messages', { effort: 'minimal' }).fields
  assert.deepEqual([thinking, config], [{ type: 'adaptive' }, { effort: 'low' }])
  const off = asked('messages', { effort: 'none' }).fields
  assert.deepEqual([off['thinking'], off['output_config']], [{ type: 'disabled' }, undefined])
})

const codeFor = (form: Form, settings: Partial<Settings>, text = 'hi', stream = false) =>
  snippetsFor({
    baseUrl: 'http://box',
    body: bodyOf('m', { ...noSettings, ...settings }, [user(text)]),
    form,
    stream,
  }).snippets

test('quotes and line breaks survive in every snippet', () => {
  const text = `It's "two"\nlines \\ \${here} \`there\``
  for (const form of ['chat', 'responses', 'messages'] as const) {
    const [curl, python, typescript] = codeFor(form, {}, text)
    const json = /-d '(.*)'$/s.exec(curl?.source ?? '')?.[1]?.replaceAll(`'\\''`, "'") ?? ''
    assert.ok(json.includes(JSON.stringify(text)))
    assert.doesNotThrow(() => void JSON.parse(json))
    for (const snippet of [python, typescript]) assert.ok(snippet?.source.includes(JSON.stringify(text)))
  }
})

test('a client that would not wait for a long answer is told to', () => {
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
