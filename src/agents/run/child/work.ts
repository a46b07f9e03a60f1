import { flushCompileCache } from 'node:module'
import { failureOf } from './failure.ts'
import { openLine } from './line.ts'
import { runAgent } from './loop.ts'
import { connectServers } from './servers.ts'

/**
 * The process of one run. It ends with its standard input, that is with the server, and takes the tool servers with
 * it: they are in its process group.
 */
const line = openLine(endGroup)
process.once('SIGTERM', endGroup)
process.stdout.once('error', endGroup)
process.on('unhandledRejection', (error) => void giveUp(error))
process.on('uncaughtException', (error) => void giveUp(error))

try {
  const start = await line.start
  const { tools, close } = await connectServers(start.servers, start.runId)
  await line.send(await runAgent(start, tools, line))
  await close()
} catch (error) {
  await line.send({ type: 'failed', ...failureOf(error) })
}
// It ends by a kill, with which everything that it has compiled would be lost.
flushCompileCache()
process.stdout.end(endGroup)

async function giveUp(error: unknown): Promise<void> {
  await line.send({ type: 'failed', ...failureOf(error) })
  endGroup()
}

function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL')
  } catch {
    // Not the leader of a group: on Windows, or started by hand.
    process.exit(1)
  }
}
