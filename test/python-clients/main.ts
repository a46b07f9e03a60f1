import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkRun, clientRuns } from '../documents/clients.ts'
import { environments } from './environments.ts'
import { makePython, type Python } from './python.ts'
import { startScene, type Scene } from './scene.ts'
import { ownSuites } from './own-suites.ts'

/**
 * Clients in Python against a started Signalbox. Not part of `npm test`: it makes virtual environments in a temporary
 * folder and installs packages from the index that pip is set up for.
 */
const folder = mkdtempSync(join(tmpdir(), 'signalbox-python-'))
await using running = new AsyncDisposableStack()
running.defer(() => rmSync(folder, { recursive: true, force: true }))
const scene = await startScene(folder)
running.use(scene)

await sendLogs(scene)
await callTools(scene)
for (const { name, packages, suites, pages = [] } of environments) {
  const python = await makePython(join(folder, name), packages)
  for (const page of pages) await runPage(python, page)
  for (const suite of suites) await runSuite(python, suite)
}
const sdks = await makePython(join(folder, 'sdks'), ownSuites.packages)
for (const suite of ownSuites.suites) await ownSuites.run(sdks, suite, { folder, ...scene })

async function sendLogs({ url, key }: Scene): Promise<void> {
  const packages = ['opentelemetry-sdk==1.38.0', 'opentelemetry-exporter-otlp-proto-http==1.38.0']
  const python = await makePython(join(folder, 'telemetry'), packages)
  await python.run([join(import.meta.dirname, 'send_logs.py')], variables())
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
}

async function callTools({ makeKey }: Scene): Promise<void> {
  // The first key has neither `sql` nor `agents`.
  const key = await makeKey(['sql', 'agents', 'gateway', 'read'])
  const python = await makePython(join(folder, 'mcp'), ['mcp==2.3.0'])
  await python.run([join(import.meta.dirname, 'call_tools.py')], variables(key))
}

/** A page of docs/clients: its programs as they are. */
async function runPage(python: Python, page: string): Promise<void> {
  const runs = clientRuns.filter((run) => run.page === page && run.file.endsWith('.py'))
  assert.ok(runs.length > 0, page)
  for (const run of runs) {
    await checkRun(scene, run, (source) => python.read(source, variables()))
    console.log(`docs/clients/${page}: ${run.file} got its reply and is in the usage log`)
  }
}

/** Says which cases were skipped, and why. */
async function runSuite(python: Python, suite: string): Promise<void> {
  console.log(`\n${suite}`)
  const suites = join(import.meta.dirname, 'suites')
  await python.run(
    ['-m', 'pytest', '-q', '-rsx', '--no-header', '-p', 'no:cacheprovider', '-W', 'ignore', suite],
    {
      ...variables(),
      PYTHONDONTWRITEBYTECODE: '1',
    },
    suites,
  )
}

function variables(key = scene.key): Record<string, string> {
  return { SIGNALBOX_URL: scene.url, SIGNALBOX_KEY: key }
}
