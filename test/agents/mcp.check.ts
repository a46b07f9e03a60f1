/**
 * Coding agents with the tools of `/mcp`, which they find by their own configuration: a query, a refusal, and an
 * approval that a second process gives. `npm run agents`, or alone `npm run agents:mcp`
 */
import { chosenOf } from './agents.ts'
import { mcpAgents } from './mcp-settings.ts'
import { prepareMcpTests } from './mcp-tests.ts'
import { installAgents } from './play.ts'

const chosen = chosenOf(mcpAgents, ({ agent }) => agent)
const addTests = await prepareMcpTests(await installAgents(chosen.map(({ agent }) => agent.package)))
addTests(chosen)
