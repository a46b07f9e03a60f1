import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startSql } from '../../src/sql/testing-sql.ts'
import { npx } from './npx.ts'

/** The command line of the official inspector, over both transports. `npm run mcp:conformance` */
const inspector = '@modelcontextprotocol/inspector@2.12.0'

const { url, key, execute } = await startSql()
await execute('create table orders (id int primary key)')
await execute('insert into orders values (1), (2)')

const cli = join(import.meta.dirname, '../../src/cli/main.js')
const transports: Record<string, string[]> = {
  HTTP: [`${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${key}`],
  stdio: ['-e', `SIGNALBOX_API_KEY=${key}`, process.execPath, cli, 'mcp', '--to', url],
}

for (const [name, target] of Object.entries(transports)) {
  const inspect = async (...args: string[]) => {
    const { code, stdout, output } = await npx([inspector, '--cli', ...target, ...args])
    const found = JSON.parse(stdout)
    // It ends with an error where the tool does.
    assert.equal(code === 0, found.isError !== true, output)
    return found
  }

  test(`the inspector over ${name} lists the tools, runs a query, meets a refusal and lists schemas`, async () => {
    const { tools } = await inspect('--method', 'tools/list')
    assert.ok(tools.some((tool: { name: string }) => tool.name === 'ask_agent'))
    const call = (sql: string) =>
      inspect(
        '--method',
        'tools/call',
        '--tool-name',
        'platform_sql_execute',
        '--tool-arg',
        'database=application',
        'reason=a test',
        `sql=${sql}`,
      )
    const counted = await call('select count(*)::int as n from orders')
    assert.deepEqual(counted.structuredContent.rows, [{ n: 2 }])
    const refused = await call('create role intruder')
    assert.equal(refused.isError, true)
    assert.match(refused.content[0].text, /^policy_violation: /)
    const { resources } = await inspect('--method', 'resources/list')
    assert.equal(resources.length, 3)
  })
}
