import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { exampleModels, startGateway } from '#test/gateway'

/**
 * The compliance suite of the Open Responses specification on a model of each provider. OPEN_RESPONSES names a checkout
 * of it; without one it is cloned. Its program is run by Bun, which npx fetches.
 */
const repository = 'https://github.com/openresponses/openresponses'
const bun = 'bun@1.4.4'

interface Result {
  id: string
  status: 'passed' | 'failed' | 'skipped'
  errors?: string[]
}

const server = await startGateway()
// The model has to call a tool that is offered.
server.fake.always({}, ({ json }) =>
  JSON.stringify(json).includes('get_weather')
    ? { toolCalls: [{ name: 'get_weather', arguments: { location: 'San Francisco, CA' } }] }
    : {},
)
const folder = process.env['OPEN_RESPONSES'] ?? (await clone())

async function clone(): Promise<string> {
  const target = mkdtempSync(join(tmpdir(), 'open-responses-'))
  after(() => rmSync(target, { recursive: true, force: true }))
  const { code, output } = await run('git', ['clone', '--depth', '1', repository, target])
  assert.equal(code, 0, `The suite cannot be cloned; name a checkout in OPEN_RESPONSES. ${output}`)
  return target
}

async function run(
  program: string,
  args: string[],
  cwd?: string,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(cwd !== undefined && { cwd }),
  })
  let output = ''
  child.stdout.on('data', (piece) => (output += String(piece)))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

for (const [provider, model] of Object.entries(exampleModels)) {
  test(`Open Responses: every case passes on ${provider}`, async (t) => {
    assert.ok(existsSync(join(folder, 'bin/compliance-test.ts')), `${folder} is not a checkout of the suite`)
    const target = ['--base-url', `${server.url}/v1`, '--api-key', server.key, '--model', model]
    const args = ['--yes', '--prefer-offline', bun, 'run', 'bin/compliance-test.ts', ...target, '--json']
    const { output } = await run('npx', args, folder)
    const { results } = JSON.parse(output) as { results: Result[] }
    assert.ok(results.length >= 17, `${results.length} cases`)
    const failed = results.filter(({ status }) => status !== 'passed')
    t.diagnostic(`${results.length - failed.length} of ${results.length} pass on ${model}`)
    assert.deepEqual(
      failed.map(({ id, errors }) => [id, errors]),
      [],
    )
  })
}
