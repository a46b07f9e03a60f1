import { lookup as resolveName, type LookupAddress } from 'node:dns'
import { isIP, Socket } from 'node:net'
import type { ClientConfig } from 'pg'
import { isPrivateAddress } from '#kernel/public-address'
import { clientConfig } from '#kernel/db'
import { invalidField } from '#kernel/errors'
import type { Secret } from '#kernel/log'

/** An address that a person entered, in the parts that may be shown. */
export interface DatabaseAddress {
  host: string
  port: number
  database: string
  login: string
}

/** Others could name files of this server, or another host than the one that is shown. */
const parameters = new Set(['sslmode', 'channel_binding', 'application_name', 'connect_timeout'])
const form = 'postgresql://USER:PASSWORD@HOST:5432/DATABASE'

/** Throws a fault of the field `url`. The private check of a name is repeated at every connection. */
export function parseAddress(text: string, mayBePrivate: boolean): DatabaseAddress {
  const refuse = (reason: string): never => {
    throw invalidField('url', reason)
  }
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return refuse(`must look like ${form}`)
  const url = new URL(text)
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '')
  if (host === '' || !/^[A-Za-z0-9._:-]+$/.test(host)) return refuse(`must name one host, as in ${form}`)
  const [database, login] = [decoded(url.pathname.slice(1)), decoded(url.username)]
  if (!database || database.includes('/')) return refuse(`must name a database, as in ${form}`)
  if (!login) return refuse(`must name a user, as in ${form}`)
  if (url.hash !== '') return refuse('must not have a fragment. Write # in a password as %23')
  for (const name of url.searchParams.keys())
    if (!parameters.has(name))
      return refuse(`has the parameter ${name}; allowed are ${[...parameters].join(', ')}`)
  if (!mayBePrivate && (host === 'localhost' || (isIP(host) !== 0 && isPrivateAddress(host))))
    return refuse(isPrivate)
  return { host, port: url.port === '' ? 5432 : Number(url.port), database, login }
}

const isPrivate =
  'is in a private network, which this server does not allow for addresses that people enter. The operator can allow it with UPSTREAM_PRIVATE=1, or name the database in DATABASES'

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export function connectionTo(url: Secret, mayBePrivate: boolean): ClientConfig {
  const config = clientConfig({ kind: 'external', url })
  // A function, so that every connection of a pool gets a socket of its own.
  return mayBePrivate ? config : { ...config, stream: publicSocket }
}

/** Checked at connecting, not at saving: a name can be pointed at another address later. */
function publicSocket(): Socket {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  // The driver calls it in this one way.
  socket.connect = ((port: number, host: string) => {
    if (isIP(host) !== 0 && isPrivateAddress(host)) return socket.destroy(privateAddress())
    return connect({ port, host, lookup: publicOnly })
  }) as typeof socket.connect
  return socket
}

const privateAddress = (): Error => invalidField('url', isPrivate)

const publicOnly: typeof resolveName = ((
  hostname: string,
  options: { all?: boolean },
  done: (error: Error | null, ...rest: unknown[]) => void,
) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error)
    if (addresses.some(({ address }) => isPrivateAddress(address))) return done(privateAddress())
    const [first] = addresses
    return options.all === true ? done(null, addresses) : done(null, first?.address, first?.family)
  })
}) as typeof resolveName
