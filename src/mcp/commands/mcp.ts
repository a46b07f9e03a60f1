import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { UsageError, type Command } from '#kernel/command'
import { isLoopback, loadConfig, type Config } from '#kernel/config'
import { version } from '#kernel/version'
import { platformOffer } from '../platform-offer.ts'
import { remotePlatform } from '../remote-platform.ts'
import { createServer } from '../server.ts'

export const command: Command = {
  summary: 'Offer the tools of a Signalbox server to an assistant, by MCP over stdio',
  usage: [
    '[--to URL]',
    '(the API key comes from SIGNALBOX_API_KEY; its scopes decide which tools there are)',
    '(URL: the address of the server; default: the one on this machine)',
  ],
  options: { to: { type: 'string' } },
  async run({ flags }) {
    const config = loadConfig()
    if (config.SIGNALBOX_API_KEY === undefined) throw new UsageError('Set SIGNALBOX_API_KEY to an API key.')
    const platform = await remotePlatform(addressOf(flags['to'], config), config.SIGNALBOX_API_KEY)
    const ended = once(process.stdin, 'close')
    const connection = serveStdio(() => createServer(platformOffer, platform, version), {
      maxSubscriptions: 0,
    })
    // Clients kill it as often as they let it end, which would lose what it has compiled.
    flushCompileCache()
    await ended
    await connection.close()
    return 0
  },
}

function addressOf(given: string | boolean | undefined, config: Config): string {
  if (typeof given !== 'string') return localAddress(config)
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError('--to must be an http or https address without user and password.')
  // The key would be readable on the way.
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw new UsageError('--to must be an https address, unless the server is on this machine.')
  return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`
}

/** A server that listens on every address is reached by loopback too. */
function localAddress({ HOST, PORT }: Config): string {
  const host = HOST === '0.0.0.0' || HOST === '::' ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`
}
