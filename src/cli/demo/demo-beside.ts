import { write } from '#kernel/command'
import { messageOf, StartFault } from '#kernel/errors'
import type { Secret } from '#kernel/log'
import { mask } from '#kernel/mask'
import { unlessStopped } from '../signals.ts'
import { demoLink } from './demo-link.ts'
import { startDemo, type Demo, type DemoServer } from './start-demo.ts'

/** Says its progress in the terminal. A demo that cannot be filled leaves the server as it is. */
export async function startDemoBeside(
  server: Omit<DemoServer, 'ownerToken'> & { ownerToken: Secret | null },
  stop: AbortSignal,
): Promise<Demo | undefined> {
  const { ownerToken, url } = server
  try {
    if (!ownerToken) throw new StartFault(needsOwner)
    write('  Demo:')
    const filling = startDemo({ ...server, ownerToken }, (line) => write(`    ${line}`))
    const demo = await unlessStopped(stop, filling)
    write(`\n  The demo is ready: ${demoLink(url, demo.groupId, ownerToken)}\n`)
    return demo
  } catch (error) {
    if (error === stop.reason) return undefined
    process.stderr.write(`${mask(messageOf(error))}\n`)
    return undefined
  }
}

export const needsOwner =
  'The demo is filled by the owner of this machine: it needs a loopback HOST, AUTH=auto or local, and no PUBLIC_URL.'
