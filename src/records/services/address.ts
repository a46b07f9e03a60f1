import { isIP } from 'node:net'
import { isPrivateAddress } from '#kernel/public-address'
import type { Config } from '#kernel/config'
import { invalidField } from '#kernel/errors'

interface Checked {
  url?: string | null | undefined
  allow_private: boolean
  interval_s: number
  timeout_ms: number
}

/** The same rule as for custom providers: the operator permits private networks, and an admin opts in. */
export function checkTarget({ url, allow_private, interval_s, timeout_ms }: Checked, config: Config): void {
  if (timeout_ms > interval_s * 1000) throw invalidField('timeout_ms', 'must not be longer than interval_s')
  if (allow_private && !config.UPSTREAM_PRIVATE)
    throw invalidField(
      'allow_private',
      'cannot be set: this server does not allow private networks. The operator can allow them with UPSTREAM_PRIVATE=1',
    )
  if (url === null || url === undefined) return
  const { username, password, hash, hostname } = new URL(url)
  if (username || password) throw invalidField('url', 'must not contain a user or password')
  if (hash) throw invalidField('url', 'must not have a fragment')
  const host = hostname.replace(/^\[|\]$/g, '')
  // A name is checked with every connection: what it leads to can change.
  if (!allow_private && isIP(host) && isPrivateAddress(host))
    throw invalidField('url', 'is in a private network, which needs allow_private')
}
