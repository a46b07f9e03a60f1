import assert from 'node:assert/strict'
import { test } from 'node:test'
import { platform, sqlCall, sqlPolicy, startRuns } from '#test/runs'
import { callTool, eras, httpClient, type Era } from './clients.ts'

const it = await startRuns()
await it.agent('helper', { policy: sqlPolicy, mcp_servers: platform, permission_mode: 'bypassPermissions' })
const key = (
  await it.call('/api/v1/keys', { json: { name: 'asks', scopes: ['agents', 'sql', 'gateway', 'read'] } })
).json.key as string

for (const era of Object.keys(eras) as Era[])
  test(`protocol ${eras[era]}: ask_agent reports progress and returns what the agent said`, async () => {
    it.script({ toolCalls: [sqlCall('select 1 as one')] }, { text: 'One.' })
    const client = await httpClient(it.url, key, era)
    const progress: string[] = []
    const { structuredContent } = await client.callTool(
      { name: 'ask_agent', arguments: { agent_id: 'helper', request: 'Count to one' } },
      { onprogress: ({ message }) => progress.push(message ?? '') },
    )
    const run = structuredContent as Record<string, unknown>
    assert.deepEqual([run['status'], run['response']], ['completed', 'One.'])
    assert.equal(run['link'], `${it.url}/agents/runs/${String(run['run_id'])}`)
    assert.ok(progress.length > 0)
    const polled = await callTool(client, 'platform_agent_run', { run_id: run['run_id'] })
    assert.equal(polled.facts.status, 'completed')
  })

test('a run that waits for approval says what for and where, and an unknown agent is an error', async () => {
  it.script({ toolCalls: [sqlCall('drop table if exists t')] })
  const client = await httpClient(it.url, key)
  const { facts } = await callTool(client, 'ask_agent', { agent_id: 'helper', request: 'Drop it' })
  assert.deepEqual([facts.status, facts.waiting_for.kind], ['waiting', 'approval'])
  assert.match(facts.waiting_for.link, /\/sql\/approvals\//)
  const nobody = await callTool(client, 'ask_agent', { agent_id: 'nobody', request: 'Anything' })
  assert.deepEqual([nobody.isError, nobody.facts.error.code], [true, 'not_found'])
})
