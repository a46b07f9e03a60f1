import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startGateway } from '#test/gateway'

// A collector that is not there: traces have a metric of their own.
const server = await startGateway({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
await server.call('/v1/chat/completions', {
  key: server.key,
  json: { model: 'gpt-6-sol', messages: [{ role: 'user', content: 'Hello' }] },
})
await server.call('/v1/chat/completions', {
  key: server.key,
  json: { model: 'no-such-model', messages: [{ role: 'user', content: 'Hello' }] },
})
// Reading the log waits until it is in the database.
await server.call('/api/v1/logs', { key: server.key })
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

test('requests are counted by what answered them, and invented models are not labels', () => {
  const counted = [...text.matchAll(/^signalbox_gateway_requests_total\{(.*)\} (\d+)$/gm)].map(
    ([, labels, count]) => `${labels} ${count}`,
  )
  assert.deepEqual(counted, [
    'provider="openai",model="gpt-6-sol",status="200" 1',
    'provider="",model="",status="404" 1',
  ])
  assert.doesNotMatch(text, /no-such-model/)
  assert.match(text, /^signalbox_gateway_own_seconds_count\{provider="openai"\} 1$/m)
  assert.match(
    text,
    /^signalbox_build_info\{version="\d+\.\d+\.\d+",commit="([0-9a-f]{12}|unknown)",node="24\.\S+"\} 1$/m,
  )
  assert.match(text, /^signalbox_database_connections\{pool="requests",state="waiting"\} 0$/m)
})

test('cost, queues, jobs, limits, streams and replicas are there from the start', () => {
  for (const line of [
    /^signalbox_gateway_cost_dollars_total\{provider="openai",model="gpt-6-sol"\} 0\.\d+$/m,
    /^signalbox_gateway_requests_running 0$/m,
    /^signalbox_queue_length\{queue="jobs"\} \d+$/m,
    /^signalbox_queue_length\{queue="notifications"\} 0$/m,
    /^signalbox_queue_length\{queue="webhooks"\} 0$/m,
    /^signalbox_queue_length\{queue="agent_runs"\} 0$/m,
    /^signalbox_queue_length\{queue="search_vectors"\} \d+$/m,
    /^signalbox_queue_length\{queue="embeddings"\} \d+$/m,
    /^signalbox_jobs_total\{job="usage\.forget-old",outcome="failed"\} 0$/m,
    /^signalbox_limits_uncounted 0$/m,
    /^signalbox_open_streams 0$/m,
    /^signalbox_open_websockets 0$/m,
    /^signalbox_replicas 1$/m,
  ])
    assert.match(text, line)
})

/** Names of our metrics that a file uses, without what Prometheus adds to histograms. */
function usedBy(file: string): string[] {
  const used = readFileSync(join(import.meta.dirname, '../../../deploy', file), 'utf8')
  return [...new Set([...used.matchAll(/\b(?:signalbox|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name))]
    .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
    .toSorted()
}

test('rules and dashboards ask for metrics that exist', () => {
  const existing = new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name))
  for (const file of ['prometheus/alerts.yaml', 'grafana/signalbox.json']) {
    const used = usedBy(file)
    assert.ok(used.length > 5, `${file} uses ${used.length}`)
    assert.deepEqual(
      used.filter((name) => !existing.has(name)),
      [],
      file,
    )
  }
})

test('promtool check rules passes', { skip: promtool.error ? 'promtool is not installed' : false }, () => {
  const file = join(import.meta.dirname, '../../../deploy/prometheus/alerts.yaml')
  const { status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  assert.deepEqual([status, stderr], [0, ''])
})
