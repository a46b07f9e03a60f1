import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/** Where it notes each of its starts, and whether it knows only the newest version of the protocol. */
const [notes, era] = process.argv.slice(2)
if (notes !== undefined) appendFileSync(notes, `${process.pid}\n`)

/** A tool server as a group may have one: it reads, writes, destroys, dies, and leaves processes behind. */
function createServer(): McpServer {
  const server = new McpServer({ name: 'things', version: '1.0.0' })
  const add = (name: string, annotations: object, work: () => string): void => {
    server.registerTool(name, { description: name, inputSchema: z.object({}), annotations }, async () => ({
      content: [{ type: 'text', text: work() }],
    }))
  }
  add(
    'look',
    { readOnlyHint: true },
    () => `looked, and saw ${Object.keys(process.env).toSorted().join(' ')}`,
  )
  add('write', { readOnlyHint: false, destructiveHint: false }, () => 'written')
  add('wipe', { readOnlyHint: false, destructiveHint: true }, () => 'wiped')
  add('die', { readOnlyHint: true }, () => process.exit(3))
  add('leave', { readOnlyHint: true }, () => {
    const left = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' })
    left.unref()
    return String(left.pid)
  })
  return server
}

serveStdio(createServer, { legacy: era === 'new' ? 'reject' : 'serve' })
