import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Provider, ProviderKey } from '#vault/contract'
import { bareChoices, overrideChoices, withOverride } from './overrides.ts'

const key = (id: string, part: Partial<ProviderKey> = {}): ProviderKey => ({
  id,
  name: `Key ${id}`,
  key_suffix: 'wxyz',
  is_default: false,
  weight: 1,
  pooled: false,
  is_active: true,
  user_id: null,
  created_at: '2026-03-01T00:00:00Z',
  last_used_at: null,
  last_error: null,
  last_error_at: null,
  ...part,
})

function provider(id: string, accounts: Record<string, ProviderKey[]>): Provider {
  return {
    id,
    spec_name: null,
    is_custom: false,
    name: id.toUpperCase(),
    base_url: '',
    docs_url: '',
    is_active: true,
    prefixes: [],
    accounts: Object.entries(accounts).map(([name, keys]) => ({
      id: name,
      group_id: 'group',
      provider_id: id,
      name,
      account_email: null,
      account_phone: null,
      keys,
    })),
  }
}

test('every provider with keys is offered, active keys first', () => {
  const off = key('a1', { is_active: false })
  const providers = [provider('one', { Default: [off, key('a2')] }), provider('none', { Default: [] })]
  assert.deepEqual(overrideChoices(providers, {}), [
    {
      provider: 'one',
      name: 'ONE',
      value: '',
      options: [
        { id: 'a2', label: 'Key a2 …wxyz' },
        { id: 'a1', label: 'Key a1 …wxyz (inactive)' },
      ],
    },
  ])
})

test('keys of several accounts are distinguishable', () => {
  const [choice] = overrideChoices([provider('one', { Team: [key('a1')], Trial: [key('a2')] })], {})
  assert.deepEqual(
    choice?.options.map(({ label }) => label),
    ['Team: Key a1 …wxyz', 'Trial: Key a2 …wxyz'],
  )
})

test('an override with a deleted or inactive key stays visible with a warning', () => {
  const providers = [provider('one', { Default: [key('a1', { is_active: false })] }), provider('two', {})]
  const [off, lost, gone] = overrideChoices(providers, { one: 'A1', two: 'b9', three: 'c9' })
  assert.equal(off?.value, 'a1')
  assert.match(off?.warning ?? '', /inactive/)
  assert.deepEqual(lost?.options, [{ id: 'b9', label: 'Deleted: b9' }])
  assert.match(lost?.warning ?? '', /was deleted/)
  assert.deepEqual([gone?.name, gone?.value], ['three', 'c9'])
  assert.match(gone?.warning ?? '', /no longer exists/)
})

test('without a list an override is shown by its id', () => {
  assert.deepEqual(bareChoices({ openai: 'a1' }), [
    { provider: 'openai', name: 'OpenAI', value: 'a1', options: [{ id: 'a1', label: 'a1' }] },
  ])
})

test('choosing the default removes one override and keeps the others', () => {
  const both = withOverride({ one: 'a1' }, 'two', 'b1')
  assert.deepEqual(both, { one: 'a1', two: 'b1' })
  assert.deepEqual(withOverride(both, 'one', ''), { two: 'b1' })
})
