import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Provider, ProviderKey } from '#vault/contract'
import { ApiError } from '../../api/client.ts'
import { splitFieldErrors } from '../../api/field-errors.ts'
import { idFromName, patternsInWords, readPrefixes } from './prefixes.ts'
import { bodyOf, emptyDraft, problemsOf } from './provider-draft.ts'
import { keyInUse, stateOfProvider } from './provider-state.ts'
import { keyProblem, nameForNext, recogniseProvider, twinOf } from './recognise.ts'
import { syncInWords } from './sync-words.ts'

const key = (id: string, part: Partial<ProviderKey> = {}): ProviderKey => ({
  id,
  name: id,
  key_suffix: 'abcd',
  is_default: false,
  weight: 1,
  pooled: false,
  is_active: true,
  user_id: null,
  created_at: `2026-03-0${id}T00:00:00Z`,
  last_used_at: null,
  last_error: null,
  last_error_at: null,
  ...part,
})

const provider = (...keys: ProviderKey[]): Provider => ({
  id: 'openai',
  spec_name: 'beta',
  is_custom: false,
  name: 'OpenAI',
  base_url: '',
  docs_url: '',
  is_active: true,
  prefixes: ['gpt-'],
  accounts: [
    {
      id: 'a',
      group_id: 'g',
      provider_id: 'openai',
      name: 'Default',
      account_email: null,
      account_phone: null,
      keys,
    },
  ],
})

test('requests use the default key, or else the oldest active one', () => {
  assert.equal(keyInUse(provider(key('2'), key('1')))?.id, '1')
  assert.equal(keyInUse(provider(key('1'), key('2', { is_default: true })))?.id, '2')
  assert.equal(keyInUse(provider(key('1', { is_default: true, is_active: false }), key('2')))?.id, '2')
})

test('a provider has the state of the key it is called with', () => {
  const used = { last_used_at: '2026-03-09T10:00:00Z' }
  const failed = { last_error: 'Bad key.', last_error_at: '2026-03-09T11:00:00Z' }
  assert.equal(stateOfProvider(provider()), 'none')
  assert.equal(stateOfProvider(provider(key('1', { is_active: false }))), 'off')
  assert.equal(stateOfProvider(provider(key('1'))), 'unused')
  assert.equal(stateOfProvider(provider(key('1', used))), 'working')
  assert.equal(stateOfProvider(provider(key('1', { ...used, ...failed }))), 'failed')
  assert.equal(
    stateOfProvider(provider(key('1', { ...failed, last_used_at: '2026-03-09T12:00:00Z' }))),
    'working',
  )
})

test('the provider is recognised from a key, and part of a key is rejected', () => {
  assert.equal(recogniseProvider(' sk-ant-api03-x'), 'anthropic')
  assert.equal(recogniseProvider('sk-or-v1-x'), 'openrouter')
  assert.equal(recogniseProvider('sk-proj-x'), 'openai')
  assert.equal(recogniseProvider('something'), undefined)
  assert.match(keyProblem('') ?? '', /Paste/)
  assert.match(keyProblem('export KEY=sk 1') ?? '', /alone/)
  assert.equal(keyProblem(' sk-proj-0123456789 '), undefined)
})

test('a free name is offered', () => {
  assert.equal(nameForNext([]), 'Main')
  assert.equal(nameForNext(['Main', 'Key 3']), 'Key 4')
})

test('prefixes are read as typed and shown as patterns', () => {
  assert.deepEqual(readPrefixes(' llama-*, qwen-\nllama- '), ['llama-', 'qwen-'])
  assert.equal(patternsInWords(['gpt-', 'o1', 'o3']), 'gpt-*, o1* or o3*')
  assert.equal(idFromName('  2. Modèl-Server (EU) '), 'model-server-eu')
})

test('a custom provider is checked before it is sent, and sent without empty fields', () => {
  assert.deepEqual(Object.keys(problemsOf(emptyDraft)), ['name', 'id', 'base_url', 'prefixes'])
  const draft = { ...emptyDraft, name: 'Box', base_url: 'ftp://x', prefixes: 'llama-' }
  assert.deepEqual(Object.keys(problemsOf(draft)), ['base_url'])
  const good = { ...draft, base_url: ' https://x.example/v1 ' }
  const body = { id: 'box', name: 'Box', base_url: 'https://x.example/v1', prefixes: ['llama-'] }
  assert.deepEqual(bodyOf(good), body)
})

test('a field error goes to its field, everything else to the whole form', () => {
  const rejected = new ApiError(400, 'invalid_request', 'Too short.', 'prefixes.0')
  assert.deepEqual(splitFieldErrors(rejected, ['prefixes']), {
    problems: { prefixes: 'Too short.' },
    rest: null,
  })
  const elsewhere = new ApiError(400, 'invalid_request', 'No.', 'group_id')
  assert.equal(splitFieldErrors(elsewhere, ['prefixes']).rest, elsewhere)
  assert.equal(splitFieldErrors(null, ['prefixes']).rest, null)
})

test('the result of a sync is one sentence', () => {
  const result = { synced: 1412, added: 12, updated: 0, removed: 2, duration_ms: 1840 }
  assert.equal(syncInWords(result), '1,412 models in 1.8 s: 12 added, 2 removed.')
  const same = { synced: 1, added: 0, updated: 0, removed: 0, duration_ms: 90 }
  assert.equal(syncInWords(same), '1 model in 0.1 s: no changes.')
})

test('a pasted key that ends like a stored one is noticed', () => {
  const stored = [{ name: 'Main', key_suffix: '9f3c' }]
  assert.equal(twinOf(' sk-proj-0000-9f3c\n', stored)?.name, 'Main')
  assert.equal(twinOf('sk-proj-0000-aaaa', stored), undefined)
  assert.equal(twinOf('9f3c', stored), undefined)
})
