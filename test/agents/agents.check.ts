/**
 * The coding agents themselves, as npm installs them, on a model of each provider: too large for every run of the
 * tests. `npm run agents`
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { exampleModels, startGateway, type ProviderId } from '../harness/gateway.ts'
import { temporaryFolder } from '../harness/product.ts'
import { agents, chosenOf, endDaemon, type Agent } from './agents.ts'
import { mcpAgents } from './mcp-settings.ts'
import { prepareMcpTests } from './mcp-tests.ts'
import { addPageTests, continuePackage } from './pages.ts'
import { homeOf, installAgents, play, type Played } from './play.ts'
import { scenesWith, type Scene } from './scenes.ts'
import { checkCost, checkScene, checkTokens, importHome, rowsAfter } from './transcripts.ts'

/** 32 by 32 pixels. */
const redPng =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAIAAAD8GO2jAAAAJ0lEQVR42u3NsQkAAAjAsP7/tF7hIASyp6lTCQQCgUAgEAgEgi/BAjLD/C5w/SM9AAAAAElFTkSuQmCC'

const server = await startGateway()
const chosen = chosenOf(agents, (agent) => agent)
const withContinue = process.env['AGENTS']?.split(',').includes('continue') ?? true
const installed = await installAgents([
  ...chosen.map((agent) => agent.package),
  ...(withContinue ? [continuePackage] : []),
])

const project = temporaryFolder()
const picture = join(project, 'red.png')
writeFileSync(picture, Buffer.from(redPng, 'base64'))

await setPrices()
const addMcpTests = await prepareMcpTests(installed)
let run = 0

for (const agent of chosen)
  for (const [provider, model] of modelsOf(agent))
    for (const scene of scenesWith(picture).slice(0, agent.isBlind === true ? 1 : 2))
      test(`${agent.name} on ${model} ${scene.name}, tells what came of it, is metered, and is found by the importer`, async () => {
        server.fake.reset()
        // The fake knows what we send of our own accord, not what an agent's maker thought of this week.
        const unchecked = agent.native === provider
        server.fake.always(provider, (request) => ({ ...scene.reply(request), unchecked }))
        const newest = (await rowsAfter(server, null))[0]?.id ?? null
        const settled = server.settled().length
        const machine = `${agent.assistant}-${run++}`
        const home = homeOf(machine)
        const { code, output } = await ask(agent, model, scene, home).finally(() => endDaemon(agent, home))
        assert.equal(code, 0, output)
        assert.ok(output.includes(scene.conclusion), output)
        const imported = await importHome(server, home, machine)
        checkScene(imported, scene.question, scene.conclusion)
        if (agent.isDirect === true) return
        const rows = await rowsAfter(server, newest)
        checkTokens(imported, rows)
        if (agent.sendsSession === true) await checkCost(server, imported, rows)
        else assert.deepEqual([...new Set(imported.sessions.map(({ cost }) => cost))], [null])
        const metered = server.settled().slice(settled)
        assert.ok(metered.length >= 2, 'the question, and the result of the tool')
        assert.equal(metered.length, rows.length)
        for (const each of metered) {
          assert.deepEqual([each.provider, each.model, each.statusCode], [provider, model, 200])
          assert.ok((each.usage?.['output'] ?? 0) > 0)
        }
      })

addPageTests(server, installed, [
  ...chosen.map(({ assistant }) => assistant),
  ...(withContinue ? ['continue'] : []),
])
addMcpTests(chosenOf(mcpAgents, ({ agent }) => agent))

/** So that every request has a cost. */
async function setPrices(): Promise<void> {
  const json = Object.values(exampleModels).map((model_id) => ({
    model_id,
    input_price_per_1m: '2',
    output_price_per_1m: '10',
  }))
  const { status, text } = await server.call('/api/v1/pricing', { method: 'PUT', key: server.key, json })
  assert.equal(status, 200, text)
}

function modelsOf({ only }: Agent): [ProviderId, string][] {
  const all = Object.entries(exampleModels) as [ProviderId, string][]
  return all.filter(([provider]) => only === undefined || provider === only)
}

async function ask(agent: Agent, model: string, { question }: Scene, home: string): Promise<Played> {
  const geminiUrl = server.fake.baseUrls.GEMINI_BASE_URL
  const asked = agent.ask(question, { url: server.url, key: server.key, model, home, geminiUrl })
  return play(join(installed, agent.program), { ...asked, home, project })
}
