import { write, type Command } from '#kernel/command'
import { loadConfig } from '#kernel/config'
import { findOwnerToken, findServerUrl } from '#kernel/datadir'
import { joinDatabase } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import { createLog } from '#kernel/log'
import { needsOwner, openDemo } from '../demo/demo-beside.ts'
import { demoLink } from '../demo/demo-link.ts'
import { listenForStop, untilStopped } from '../signals.ts'

export const command: Command = {
  summary: 'Fill a demo group of the running server, and play its provider until Ctrl-C',
  usage: ['', '(a server that was started with --demo has it already)'],
  options: {},
  async run() {
    const config = loadConfig()
    const url = findServerUrl(config.DATA_DIR)
    const ownerToken = findOwnerToken(config.DATA_DIR)
    if (url === undefined)
      throw new StartFault('No server runs here. Start one with the demo in it: npx signalbox serve --demo')
    if (!config.localOwner || !ownerToken) throw new StartFault(needsOwner)
    const stop = listenForStop(await createLog({ level: 'silent', form: 'json' }))
    const demo = await openDemo(config, joinDatabase(config))
    try {
      const groupId = await demo.fillOnce({ url, ownerToken }, (line) => write(`  demo: ${line}`))
      write(
        `\n  The demo is ready: ${demoLink(url, groupId)}\n  Its provider responds until you press Ctrl-C.`,
      )
      await untilStopped(stop)
    } finally {
      await demo.stop()
    }
    return 0
  },
}
