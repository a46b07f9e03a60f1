import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/** A tool server that takes its time, and one of whose tools leaves a process in a group of its own. */
serveStdio(() => {
  const server = new McpServer({ name: 'things', version: '1.0.0' })
  const add = (name: string, work: () => Promise<string>): void => {
    const options = { description: name, inputSchema: z.object({}), annotations: { readOnlyHint: true } }
    server.registerTool(name, options, async () => ({ content: [{ type: 'text', text: await work() }] }))
  }
  add('work', async () => {
    await wait(200 + Math.random() * 1_300)
    return 'worked'
  })
  add('leave', async () => {
    const left = spawn('sleep', ['900'], { detached: true, stdio: 'ignore' })
    left.unref()
    return String(left.pid)
  })
  return server
})
