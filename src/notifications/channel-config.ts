import { isIP } from 'node:net'
import type { Config } from '#kernel/config'
import { invalidField } from '#kernel/errors'
import { isPrivateAddress } from '#kernel/public-address'
import type { ChannelConfig, ChannelType, ShownConfig } from './contract.ts'

type Field = keyof ChannelConfig

interface TypeRules {
  required: readonly Field[]
  optional: readonly Field[]
  /** The field that is sealed and never shown. */
  secret: 'url' | 'secret' | 'routing_key' | null
}

const rules: Readonly<Record<ChannelType, TypeRules>> = {
  webhook: { required: ['url', 'secret'], optional: ['allow_private', 'repeat_hours'], secret: 'secret' },
  slack: {
    required: ['url'],
    optional: ['allow_private', 'repeat_hours', 'group_seconds'],
    secret: 'url',
  },
  teams: {
    required: ['url'],
    optional: ['allow_private', 'repeat_hours', 'group_seconds'],
    secret: 'url',
  },
  email: { required: ['to'], optional: ['repeat_hours', 'group_seconds'], secret: null },
  pagerduty: { required: ['routing_key'], optional: ['repeat_hours'], secret: 'routing_key' },
}

export interface CheckedConfig {
  shown: ShownConfig
  /** What to seal; undefined: nothing, or what is sealed already stays. */
  secret: string | undefined
}

/** A channel's settings as they are stored. `before`: what a change does not name stays. */
export function checkConfig(
  type: ChannelType,
  input: ChannelConfig,
  config: Config,
  before: ShownConfig | null = null,
): CheckedConfig {
  const { required, optional, secret: sealed } = rules[type]
  for (const field of Object.keys(input) as Field[])
    if (!required.includes(field) && !optional.includes(field))
      throw invalidField(`config.${field}`, `does not belong to a channel of type ${type}`)
  if (before === null)
    for (const field of required)
      if (input[field] === undefined)
        throw invalidField(`config.${field}`, `is required for a channel of type ${type}`)
  if (type === 'email' && config.SMTP_URL === undefined)
    throw invalidField('type', 'cannot be email: the operator must set SMTP_URL and SMTP_FROM first')
  checkAddress(input, before, config)
  const shown = { ...before, ...shownOf(type, input) }
  if (shown.repeat_hours === null) delete shown.repeat_hours
  return { shown, secret: sealed === null ? undefined : input[sealed] }
}

/** The same rule as for custom providers: the operator permits private networks, and an admin opts in. */
function checkAddress(input: ChannelConfig, before: ShownConfig | null, config: Config): void {
  if (input.allow_private === true && !config.UPSTREAM_PRIVATE)
    throw invalidField(
      'config.allow_private',
      'cannot be set: this server does not allow private networks. The operator can allow them with UPSTREAM_PRIVATE=1',
    )
  if (input.url === undefined) return
  const { username, password, hash, hostname } = new URL(input.url)
  if (username || password) throw invalidField('config.url', 'must not contain a user or password')
  if (hash) throw invalidField('config.url', 'must not have a fragment')
  const host = hostname.replace(/^\[|\]$/g, '')
  const allowPrivate = input.allow_private ?? before?.allow_private ?? false
  // A name is checked with every connection: what it leads to can change.
  if (!allowPrivate && isIP(host) && isPrivateAddress(host))
    throw invalidField('config.url', 'is in a private network, which needs allow_private')
}

function shownOf(type: ChannelType, { url, secret, routing_key, ...rest }: ChannelConfig): ShownConfig {
  const shown: ShownConfig = { ...rest }
  if (secret !== undefined) shown.secret_suffix = secret.slice(-4)
  if (routing_key !== undefined) shown.routing_key_suffix = routing_key.slice(-4)
  if (url === undefined) return shown
  if (type === 'webhook') return { ...shown, url }
  return { ...shown, url_host: new URL(url).host, url_suffix: url.slice(-4) }
}
