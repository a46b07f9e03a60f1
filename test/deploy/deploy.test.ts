import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settings } from './settings.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const { version } = JSON.parse(read('package.json')) as { version: string }

test('every setting in the files for deployment exists', () => {
  const files = globSync('deploy/**/*', { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
  const named = files.flatMap((entry) =>
    namesIn(readFileSync(join(entry.parentPath, entry.name), 'utf8')).map((name) => `${entry.name}: ${name}`),
  )
  assert.ok(named.length > 20, `${named.length} names`)
  assert.deepEqual(
    named.filter((name) => !settings.has(name.replace(/^.*: /, ''))),
    [],
  )
})

test('the chart has the version of the product', () => {
  const chart = read('deploy/helm/signalbox/Chart.yaml')
  assert.match(chart, new RegExp(`^version: ${version}$`, 'm'))
  assert.match(chart, new RegExp(`^appVersion: ${version}$`, 'm'))
})

test('everything that stops a replica waits until it has drained', () => {
  assert.match(read('deploy/compose.yaml'), /stop_grace_period: 60s/)
  assert.match(read('deploy/helm/signalbox/templates/replicas.yaml'), /terminationGracePeriodSeconds: 60/)
  assert.match(read('deploy/systemd/signalbox@.service'), /TimeoutStopSec=60/)
})

test('the image has the Node that npm installs elsewhere, as nobody special', () => {
  const image = read('deploy/Dockerfile')
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  assert.deepEqual(
    [...image.matchAll(/^FROM node:([\d.]+)-/gm)].map(([, node]) => node),
    [dependencies['node'], dependencies['node']],
  )
  assert.match(image, /^USER 1000$/m)
})

test('every rule of Prometheus has a place in the runbook', () => {
  const rules = [...read('deploy/prometheus/alerts.yaml').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  const places = [...read('docs/runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
  assert.deepEqual(places, rules)
})

/** Words in capitals where a setting is given or read. */
function namesIn(text: string): string[] {
  const found = text.matchAll(/(?:^|\s|\$\{)([A-Z][A-Z0-9]*_[A-Z0-9_]+|HOST|PORT|WORKERS)(?=[:=}])/gm)
  return [...found].map(([, name = '']) => name)
}
