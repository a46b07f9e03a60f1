import { write } from '#kernel/command'
import { messageOf, StartFault } from '#kernel/errors'
import type { Secret } from '#kernel/log'
import { mask } from '#kernel/mask'
import { unlessStopped } from '../signals.ts'
import { demoLink } from './demo-link.ts'
import type { Demo } from './start-demo.ts'

export { openDemo } from './start-demo.ts'

/** Says its progress in the terminal. A demo that cannot be filled leaves the server as it is. */
export async function fillBeside(
  demo: Demo,
  { url, ownerToken }: { url: string; ownerToken: Secret | null },
  stop: AbortSignal,
): Promise<void> {
  try {
    if (!ownerToken) throw new StartFault(needsOwner)
    const filling = demo.fillOnce({ url, ownerToken }, (line) => write(`  demo: ${line}`))
    const groupId = await unlessStopped(stop, filling)
    write(`\n  The demo is ready: ${demoLink(url, groupId, ownerToken)}\n`)
  } catch (error) {
    if (error !== stop.reason) process.stderr.write(`${mask(messageOf(error))}\n`)
  }
}

export const needsOwner =
  'The demo is filled by the owner of this machine: it needs a loopback HOST, AUTH=auto or local, and no PUBLIC_URL.'
