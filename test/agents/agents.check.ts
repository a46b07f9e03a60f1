/**
 * The coding agents themselves, as npm installs them, on a model of each provider: too large for every run of the
 * tests. `npm run agents`
 */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { exampleModels, startGateway, type ProviderId } from '../harness/gateway.ts'
import { temporaryFolder } from '../harness/product.ts'
import { agents, type Agent } from './agents.ts'
import { scenesWith, type Scene } from './scenes.ts'
import { checkScene, checkTokens, importHome } from './transcripts.ts'

/** 32 by 32 pixels. */
const redPng =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC'

const server = await startGateway()
// A folder that is kept saves the next run minutes of installing.
const installed = process.env['AGENTS_FOLDER'] ?? temporaryFolder()
writeFileSync(join(installed, 'package.json'), JSON.stringify({ private: true }))
await promisify(execFile)(
  'npm',
  [
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--prefer-offline',
    ...agents.map((agent) => agent.package),
  ],
  { cwd: installed, timeout: 900_000 },
)

const project = temporaryFolder()
const picture = join(project, 'red.png')
writeFileSync(picture, Buffer.from(redPng, 'base64'))

for (const agent of agents)
  for (const [provider, model] of modelsOf(agent))
    for (const scene of scenesWith(picture).slice(0, agent.isBlind === true ? 1 : 2))
      test(`${agent.name} on ${model} ${scene.name}, tells what came of it, is metered, and is found by the importer`, async () => {
        server.fake.reset()
        // The fake knows what we send of our own accord, not what an agent's maker thought of this week.
        const unchecked = agent.native === provider
        server.fake.always(provider, (request) => ({ ...scene.reply(request), unchecked }))
        const before = (await settledSoFar()).length
        const home = temporaryFolder()
        const { code, output } = await ask(agent, model, scene, home)
        assert.equal(code, 0, output)
        assert.ok(output.includes(scene.conclusion), output)
        const derived = await importHome(home, agent.assistant)
        checkScene(derived, scene.question, scene.conclusion)
        if (agent.isDirect === true) return
        const metered = (await settledSoFar()).slice(before)
        checkTokens(derived, metered)
        assert.ok(metered.length >= 2, 'the question, and the result of the tool')
        for (const each of metered) {
          assert.deepEqual([each.provider, each.model, each.statusCode], [provider, model, 200])
          assert.ok((each.usage?.['output'] ?? 0) > 0)
        }
      })

function modelsOf({ only }: Agent): [ProviderId, string][] {
  const all = Object.entries(exampleModels) as [ProviderId, string][]
  return all.filter(([provider]) => only === undefined || provider === only)
}

/** Reading the log waits for the events of every request that has ended. */
async function settledSoFar() {
  await server.call('/api/v1/logs?limit=1', { key: server.key })
  return server.settled()
}

/** Asks with a home of its own; whatever is not on this machine is out of reach. */
async function ask(
  agent: Agent,
  model: string,
  { question }: Scene,
  home: string,
): Promise<{ code: number | null; output: string }> {
  const geminiUrl = server.fake.baseUrls.GEMINI_BASE_URL
  const place = { url: server.url, key: server.key, model, home, geminiUrl }
  const { args, environment } = agent.ask(question, place)
  const child = spawn(join(installed, 'node_modules/.bin', agent.program), args, {
    cwd: project,
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
