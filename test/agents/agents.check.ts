/**
 * The coding agents themselves, as npm installs them, on a model of each provider: too large for every run of the
 * tests. `npm run agents`
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { exampleModels, startGateway, type ProviderId } from '../harness/gateway.ts'
import { temporaryFolder } from '../harness/product.ts'
import { agents, type Agent } from './agents.ts'
import { commandingModel, conclusion, question } from './commanding-model.ts'

const box = await startGateway()
const installed = temporaryFolder()
writeFileSync(join(installed, 'package.json'), JSON.stringify({ private: true }))
await promisify(execFile)(
  'npm',
  ['install', '--no-audit', '--no-fund', '--loglevel=error', ...agents.map((agent) => agent.package)],
  { cwd: installed, timeout: 240_000 },
)

for (const agent of agents)
  for (const [provider, model] of Object.entries(exampleModels) as [ProviderId, string][])
    test(`${agent.name} on ${model}: runs a command, tells what it printed, and is metered`, async () => {
      box.fake.reset()
      box.fake.always(provider, commandingModel)
      const before = box.settled().length
      const { code, output } = await ask(agent, model)
      assert.equal(code, 0, output)
      assert.ok(output.includes(conclusion), output)
      const metered = box.settled().slice(before)
      assert.ok(metered.length >= 2, 'the question, and the result of the command')
      for (const each of metered) {
        assert.deepEqual([each.provider, each.model, each.statusCode], [provider, model, 200])
        assert.ok((each.usage?.['output'] ?? 0) > 0)
      }
    })

/** Asks in a folder and a home of its own; whatever is not on this machine is out of reach. */
async function ask(agent: Agent, model: string): Promise<{ code: number | null; output: string }> {
  const home = temporaryFolder()
  const folder = join(home, 'project')
  mkdirSync(folder)
  const { args, environment } = agent.ask(question, { url: box.url, key: box.key, model, home })
  const child = spawn(join(installed, 'node_modules/.bin', agent.program), args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 90_000,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      TERM: 'dumb',
      HTTP_PROXY: 'http://127.0.0.1:9',
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1',
      ...environment,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (output += piece.toString()))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', reject)
  })
  return { code, output }
}
