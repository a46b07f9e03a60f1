import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '#kernel/config'
import type { CustomProviderRow } from './provider-store.ts'
import { createRegistry } from './registry.ts'

const groupId = '0190b3a0-0000-7000-8000-000000000001'
const registry = createRegistry(loadConfig({}))

function customProvider(
  id: string,
  prefix: string,
  more: Partial<CustomProviderRow> = {},
): CustomProviderRow {
  return {
    id,
    group_id: groupId,
    name: id,
    base_url: `https://${id}.example/v1`,
    docs_url: '',
    prefixes: [prefix],
    is_active: true,
    allow_private: false,
    ...more,
  }
}

const idFor = (model: string): string | undefined => registry.find(groupId, model)?.provider.id

test('a route that was used before follows the custom providers as they change', () => {
  registry.setCustom([customProvider('first', 'team-')])
  assert.equal(idFor('team-small'), 'first')
  registry.setCustom([customProvider('first', 'team-'), customProvider('second', 'team-s')])
  assert.equal(idFor('team-small'), 'second', 'a longer prefix was added')
  registry.setCustom([customProvider('first', 'team-', { base_url: 'https://moved.example/v1' })])
  assert.equal(registry.requireModel(groupId, 'team-small').route.baseUrl, 'https://moved.example/v1')
  registry.setCustom([customProvider('first', 'team-', { is_active: false })])
  assert.throws(() => registry.requireModel(groupId, 'team-small'), { code: 'model_not_found' })
  registry.setCustom([])
  assert.equal(idFor('team-small'), undefined)
})

test('the longest prefix wins, whatever the order', () => {
  registry.setCustom([customProvider('longer', 'team-s'), customProvider('shorter', 'team-')])
  assert.deepEqual([idFor('team-small'), idFor('team-large')], ['longer', 'shorter'])
})
