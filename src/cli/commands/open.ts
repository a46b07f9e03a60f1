import type { Command } from '#kernel/command'
import { loadConfig } from '#kernel/config'
import { findOwnerToken, serverUrl } from '#kernel/datadir'
import { StartFault } from '#kernel/errors'
import { ownerLink } from '../owner-link.ts'

export const command: Command = {
  summary: 'Print the link that opens the dashboard as the owner of this machine',
  usage: ['[--json]'],
  options: {},
  async run({ print }) {
    const config = loadConfig()
    if (!config.localOwner)
      throw new StartFault(
        'There is no owner link here: people sign in, because of AUTH, PUBLIC_URL or HOST. Invite someone with: signalbox users invite',
      )
    const token = findOwnerToken(config.DATA_DIR)
    if (!token) throw new StartFault('Start Signalbox once with npm start: the first start makes the link.')
    const url = ownerLink(serverUrl(config), token)
    print(url, { url })
    return 0
  },
}
