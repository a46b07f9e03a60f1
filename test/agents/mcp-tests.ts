import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { administer } from '#test/database'
import { exampleModels, startGateway } from '../harness/gateway.ts'
import { ownerTokenOf } from '../harness/owner.ts'
import { temporaryFolder } from '../harness/product.ts'
import { mcpConclusion, mcpQuestion, replyWithSteps } from './mcp-scene.ts'
import type { mcpAgents } from './mcp-settings.ts'
import { homeOf, play } from './play.ts'

const approver = fileURLToPath(new URL('./approve.ts', import.meta.url))
const provider = 'anthropic'
const model = exampleModels[provider]

/**
 * Starts what the scene of the tools of `/mcp` needs, and gives the function that adds its tests. Nothing may be
 * awaited between two tests of a file: once those it has are over, its servers are stopped.
 */
export async function prepareMcpTests(installed: string): Promise<(chosen: typeof mcpAgents) => void> {
  const server = await startGateway()
  const { url, call, fake } = server
  after(async () => {
    await server.stop()
    const { database } = server.target as { database: string }
    for (const name of ['calendar', 'application'])
      await administer(`drop database if exists "${database}_${name}" with (force)`)
  })
  const execute = async (sql: string) => {
    const json = { database: 'application', sql, reason: 'The scene' }
    assert.equal((await call('/api/v1/sql/execute', { json })).status, 200)
  }
  await execute('create table orders (id int primary key)')
  return (chosen) => {
    for (const { agent, addServer } of chosen)
      test(`${agent.name} finds /mcp, runs a query, meets a refusal, and waits for an approval that a second process gives`, async () => {
        await execute('insert into orders values (1), (2) on conflict do nothing')
        const made = await call('/api/v1/keys', { json: { name: agent.name, scopes: ['gateway', 'sql'] } })
        const key = made.json.key as string
        let approvals = 0
        const approve = async (id: string) => {
          approvals++
          await promisify(execFile)(process.execPath, [approver, url, id], {
            env: { OWNER_TOKEN: ownerTokenOf(url) },
          })
        }
        fake.reset()
        fake.always(provider, async (request) => ({
          ...(await replyWithSteps(request, approve)),
          unchecked: agent.native === provider,
        }))
        const [home, project] = [homeOf(`mcp-${agent.assistant}`), temporaryFolder()]
        const place = { url, key, model, home, geminiUrl: fake.baseUrls.GEMINI_BASE_URL }
        const { args, environment } = agent.ask(mcpQuestion, place)
        const asked = { args: [...args, ...addServer(place, project)], environment, home, project }
        const { code, output } = await play(join(installed, agent.program), asked)
        assert.equal(code, 0, output)
        assert.ok(output.includes(mcpConclusion), output)
        assert.equal(approvals, 1, 'it asked while nobody had decided')
        const { json } = await call('/api/v1/sql/logs', { key })
        const attempts = (json.data as { sql: string; status: string }[]).map(
          (each) => `${each.status}: ${each.sql}`,
        )
        assert.deepEqual(attempts.toReversed(), [
          "executed: select concat('MARK-', 40 + 2) as mark",
          'refused: create role intruder',
          'paused: truncate orders',
          'executed: truncate orders',
          "executed: select concat('LEFT-', count(*)) as found from orders",
        ])
      })
  }
}
