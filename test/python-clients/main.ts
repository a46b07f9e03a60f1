import { spawnSync } from 'node:child_process'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveFrom, start } from '../../bench/gateway/processes.ts'

/**
 * Clients in Python against a started Signalbox. Not part of `npm test`: it makes a virtual environment in a temporary
 * folder and installs packages from the index that pip is set up for.
 */
const packages = ['opentelemetry-sdk==1.38.0', 'opentelemetry-exporter-otlp-proto-http==1.38.0', 'mcp==2.3.0']

function run(program: string, args: string[], environment: Record<string, string> = {}): void {
  const { status, error } = spawnSync(program, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error?.message ?? status}`)
}

const folder = mkdtempSync(join(tmpdir(), 'signalbox-python-'))
await using running = new AsyncDisposableStack()
running.defer(() => rmSync(folder, { recursive: true, force: true }))
run('python3', ['-m', 'venv', join(folder, 'venv')])
run(join(folder, 'venv/bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages])

const server = await start({
  args: serveFrom(),
  environment: { HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' },
  ready: /is ready at .*\n/,
})
running.defer(server.stop)
const url = /ready at (http\S+)/.exec(server.output)?.[1] ?? ''
const key = /sb-[A-Za-z0-9_-]{20,}/.exec(server.output)?.[0] ?? ''
const python = (script: string, apiKey: string) =>
  run(join(folder, 'venv/bin/python'), [join(import.meta.dirname, script)], {
    SIGNALBOX_URL: url,
    SIGNALBOX_KEY: apiKey,
  })

python('send_logs.py', key)
const response = await fetch(`${url}/api/console/events?service=python-shop`, {
  headers: { authorization: `Bearer ${key}` },
})
const { data } = (await response.json()) as {
  data: { severity: string; title: string; metadata: Record<string, unknown> }[]
}
assert.deepEqual(
  data.map(({ severity, title }) => `${severity} ${title}`),
  ['error Order failed', 'warning Stock is low', 'info Order accepted'],
)
assert.equal(data[2]?.metadata['order'], 7)
assert.equal(data[0]?.metadata['exception.type'], 'ZeroDivisionError')
console.log("OpenTelemetry's Python SDK: 3 log records sent, 3 events in the console")

/** The first key has neither `sql` nor `agents`. */
async function keyForTools(): Promise<string> {
  const token = /\/\?token=(\S+)/.exec(server.output)?.[1] ?? ''
  const made = await fetch(`${url}/api/v1/keys`, {
    method: 'POST',
    headers: { 'x-owner-token': token, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Tools', scopes: ['sql', 'agents', 'gateway', 'read'] }),
  })
  assert.equal(made.status, 201)
  return ((await made.json()) as { key: string }).key
}
python('call_tools.py', await keyForTools())
