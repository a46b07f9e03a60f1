import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agents, type Agent, type Place } from './agents.ts'

interface McpAgent {
  agent: Agent
  /** Tells the agent of `/mcp`, as docs/mcp.md tells a user to; more arguments, where it needs them. */
  addServer(place: Place, project: string): string[]
}

const settings: Partial<Record<Agent['assistant'], McpAgent['addServer']>> = {
  'claude-code'({ url, key, home }) {
    const signalbox = { type: 'http', url: `${url}/mcp`, headers: { Authorization: `Bearer ${key}` } }
    const file = join(home, 'mcp.json')
    writeFileSync(file, JSON.stringify({ mcpServers: { signalbox } }))
    return ['--mcp-config', file, '--allowedTools', 'mcp__signalbox']
  },
  codex({ url, home }) {
    const table = ['[mcp_servers.signalbox]', `url = "${url}/mcp"`, 'bearer_token_env_var = "SIGNALBOX_KEY"']
    appendFileSync(join(home, '.codex/config.toml'), `\n${table.join('\n')}\n`)
    return []
  },
  opencode({ url, key }, project) {
    const headers = { Authorization: `Bearer ${key}` }
    const signalbox = { type: 'remote', url: `${url}/mcp`, headers, oauth: false, enabled: true }
    writeFileSync(join(project, 'opencode.json'), JSON.stringify({ mcp: { signalbox } }))
    return []
  },
}

export const mcpAgents: readonly McpAgent[] = agents.flatMap((agent) => {
  const addServer = settings[agent.assistant]
  return addServer ? [{ agent, addServer }] : []
})
