import { join } from 'node:path'
import type { Secret } from '#kernel/log'
import type { AgentConfig } from '../contract.ts'
import type { ServerToStart } from './protocol.ts'

/** A program to start, not a module to import. */
const commandLine = join(import.meta.dirname, '..', '..', 'cli', 'main.js')

export interface ServerEnvironment {
  /** This server, as a process on the same machine reaches it. */
  address: string
  key: Secret
}

/**
 * How the tool servers of an agent are started. `signalbox` is this program, also where it is not on the path. Only
 * `signalbox mcp` gets the key of the run, and only where it speaks to this server.
 */
export function serversToStart(
  servers: AgentConfig['mcp_servers'],
  { address, key }: ServerEnvironment,
): ServerToStart[] {
  return Object.entries(servers).map(([name, { command, args = [] }]) => {
    if (command !== 'signalbox') return { name, command, args, env: {}, isPlatform: false }
    const isPlatform = args[0] === 'mcp' && !args.some((each) => each.startsWith('--to'))
    const { hostname, port } = new URL(address)
    return {
      name,
      command: process.execPath,
      args: ['--max-semi-space-size=1', commandLine, ...args],
      env: isPlatform
        ? { HOST: hostname.replace(/^\[(.*)\]$/, '$1'), PORT: port, SIGNALBOX_API_KEY: key.reveal() }
        : {},
      isPlatform,
    }
  })
}
