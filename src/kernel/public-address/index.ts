import { lookup } from 'node:dns'
import { BlockList, isIPv4, isIPv6 } from 'node:net'
import { ipv6Groups } from '#kernel/network'

/** Loopback, link-local, private, documentation and reserved networks of IPv4. */
const blocked4 = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  blocked4.addSubnet(network, bits, 'ipv4')
}

/** The same for IPv6. Networks that carry an IPv4 address are judged by that address instead. */
const blocked6 = new BlockList()
for (const [network, bits] of [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  blocked6.addSubnet(network, bits, 'ipv6')
}

/** An address that nothing in the public internet has. What is no address counts as one. */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$|\.$/g, '').replace(/%.*$/s, '')
  if (isIPv4(bare)) return blocked4.check(bare, 'ipv4')
  if (!isIPv6(bare)) return true
  const inner = innerIPv4(ipv6Groups(bare))
  return inner === undefined ? blocked6.check(bare, 'ipv6') : blocked4.check(inner, 'ipv4')
}

/** The IPv4 address inside one that is mapped (::ffff:0:0/96), translated (64:ff9b::/96) or tunnelled (2002::/16). */
function innerIPv4(groups: readonly number[]): string | undefined {
  const [first = 0, second = 0, third = 0] = groups
  if (first === 0x2002) return toIPv4(second, third)
  const isEmpty = (from: number, to: number): boolean => groups.slice(from, to).every((group) => group === 0)
  const isMapped = isEmpty(0, 5) && groups[5] === 0xffff
  const isTranslated = first === 0x64 && second === 0xff9b && isEmpty(2, 6)
  return isMapped || isTranslated ? toIPv4(groups[6] ?? 0, groups[7] ?? 0) : undefined
}

const toIPv4 = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')

/** The code of the error of a name that leads to a private address. */
export const privateAddressCode = 'PRIVATE_ADDRESS'

/**
 * Names to addresses, for connections to the public internet. Checked when connecting: a name can be pointed at another
 * address later.
 */
export const publicLookup: typeof lookup = ((
  hostname: string,
  options: object,
  done: (error: Error | null, ...rest: unknown[]) => void,
) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error)
    if (addresses.some(({ address }) => isPrivateAddress(address)))
      return done(Object.assign(new Error('private address'), { code: privateAddressCode }))
    const [first] = addresses
    if ((options as { all?: boolean }).all) return done(null, addresses)
    return done(null, first?.address, first?.family)
  })
}) as typeof lookup
