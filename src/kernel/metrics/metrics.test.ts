import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'

const server = await startGateway()
await server.call('/v1/chat/completions', {
  key: server.key,
  json: { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Hello' }] },
})
const { text } = await server.call('/metrics', { key: server.key })

test('metrics follow the naming rules of Prometheus', () => {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({
    name,
    type,
  }))
  assert.ok(types.length > 20)
  for (const { name, type } of types) {
    assert.equal(name.endsWith('_total'), type === 'counter', `${name} is a ${type}`)
    assert.match(name, /^[a-z][a-z0-9_]*$/)
    assert.doesNotMatch(name, /_(counter|gauge|histogram|summary|milliseconds|ms|kilobytes)$/)
    assert.match(text, new RegExp(`^# HELP ${name} \\S`, 'm'))
  }
  assert.equal(new Set(types.map(({ name }) => name)).size, types.length, 'each is described once')
})

const promtool = spawnSync('promtool', ['--version'])
test('promtool check metrics passes', { skip: promtool.error ? 'promtool is not installed' : false }, () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
})
