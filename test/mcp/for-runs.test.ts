import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routesOfServer } from '../security/route-list.ts'
import { startProduct } from '#test/product'
import { toolbox } from '#tools'

await startProduct()
const id = '00000000-0000-4000-8000-000000000000'
const sql = { database: 'application', reason: 'a test' }

/** For each tool one input per route that it may call. */
const inputs: Readonly<Record<string, readonly object[]>> = {
  ask_agent: [{ agent_id: 'data-engineer', request: 'Count.' }],
  platform_agent_run: [{ run_id: id }],
  platform_sql_execute: [{ ...sql, sql: 'select 1' }],
  platform_sql_migrate: [{ ...sql, name: 'm', sql: 'select 1' }],
  platform_sql_logs: [{}],
  platform_sql_approval: [{ approval_id: id }],
  platform_search: [{ query: 'orders' }],
  platform_transcripts_search: [{ q: 'orders' }],
  platform_transcript: [{ id }],
  platform_console_search: [{ q: 'orders' }],
  platform_usage: ['total', 'model', 'provider', 'key', 'day'].map((by) => ({ by })),
  platform_tickets: [{}, { id }],
  platform_initiatives: [{}, { id }],
  platform_deployments: [{}, { id }],
  platform_devlogs: [{}, { id }],
}

const routes = [...routesOfServer().values()].map((route) => ({
  ...route,
  pattern: new RegExp(`^${route.template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
}))

test('every tool of the toolbox calls routes that runs of agents may call', () => {
  assert.deepEqual(Object.keys(inputs).toSorted(), toolbox.map(({ name }) => name).toSorted())
  for (const tool of toolbox)
    for (const input of inputs[tool.name] ?? []) {
      const { method, path } = tool.request(tool.input.parse(input) as never)
      const [bare = ''] = path.split('?')
      const route = routes.find((each) => !each.forPages && each.method === method && each.pattern.test(bare))
      assert.ok(route, `${tool.name} calls ${method} ${bare}, which is no route`)
      assert.ok(
        route.config.forRuns,
        `${tool.name} calls ${method} ${route.template}: add forRuns to its config, or runs get 403`,
      )
    }
})
