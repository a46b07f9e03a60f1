/** Networks of addresses, as `10.0.0.0/8` and `2001:db8::/32`. Browser-safe. */

export interface Network {
  family: 4 | 6
  /** The first address. */
  start: bigint
  bits: number
}

/** How a network is written in one way: the shortest form of its address, and how many bits count. */
export function networkText({ family, start, bits }: Network): string {
  return `${family === 4 ? text4(start) : text6(start)}/${bits}`
}

/**
 * Reads an address or a network; an address alone is a network of one. Undefined: it is neither. What stands behind
 * the bits that count is set to 0. IPv4 inside of IPv6 (::ffff:0:0/96) is IPv4.
 */
export function readNetwork(text: string): Network | undefined {
  const [address = '', length, more] = text.split('/')
  const read = readAddress(address)
  if (!read || more !== undefined) return undefined
  const size = sizeOf(read.family)
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return undefined
  const written = /:/.test(address) ? 128 : 32
  // The bits of an IPv4 address that is written as one of IPv6 are counted from the front of the longer form.
  const bits = length === undefined ? size : Number(length) - (written - size)
  if (bits < 0 || bits > size) return undefined
  const rest = BigInt(size - bits)
  return { family: read.family, start: (read.value >> rest) << rest, bits }
}

/** What is no address is in no network. */
export function isInNetworks(address: string, networks: readonly Network[]): boolean {
  const read = readAddress(address)
  if (!read) return false
  const one = { family: read.family, start: read.value, bits: sizeOf(read.family) }
  return networks.some((network) => isWithin(one, network))
}

export function isWithin(narrow: Network, wide: Network): boolean {
  if (narrow.family !== wide.family || narrow.bits < wide.bits) return false
  const rest = BigInt(sizeOf(wide.family) - wide.bits)
  return narrow.start >> rest === wide.start >> rest
}

/** Whether each of the networks is within one of the wide list, all as texts. */
export function coversNetworks(wide: readonly string[], narrow: readonly string[]): boolean {
  const read = (list: readonly string[]): (Network | undefined)[] => list.map(readNetwork)
  const outer = read(wide)
  return read(narrow).every((one) => one && outer.some((each) => each && isWithin(one, each)))
}

const sizeOf = (family: 4 | 6): 32 | 128 => (family === 4 ? 32 : 128)

interface Address {
  family: 4 | 6
  value: bigint
}

const part4 = String.raw`(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const address4 = new RegExp(`^${part4}(\\.${part4}){3}$`)
const mapped = 0xffffn << 32n

function readAddress(text: string): Address | undefined {
  if (address4.test(text)) return { family: 4, value: fold(text.split('.').map(Number), 8n) }
  // Sockets name the interface of a local address.
  const bare = text.replace(/%[\w.-]{1,32}$/, '')
  if (!/^[\da-f:.]{2,45}$/i.test(bare) || !bare.includes(':') || !URL.canParse(`http://[${bare}]`))
    return undefined
  const value = fold(ipv6Groups(bare), 16n)
  return value >> 32n === mapped >> 32n ? { family: 4, value: value & 0xffffffffn } : { family: 6, value }
}

const fold = (parts: readonly number[], bits: bigint): bigint =>
  parts.reduce((sum, part) => (sum << bits) | BigInt(part), 0n)

/** The eight groups of a valid IPv6 address. */
export function ipv6Groups(address: string): number[] {
  const [head = '', tail] = canonical6(address).split('::')
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [read(head), read(tail ?? '')]
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}

/** URL writes every notation, also with an IPv4 tail, in one way. */
const canonical6 = (address: string): string => new URL(`http://[${address}]`).hostname.slice(1, -1)

const text4 = (value: bigint): string =>
  [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 255n)).join('.')

function text6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - index * 16)) & 0xffffn)
  return canonical6(groups.map((group) => group.toString(16)).join(':'))
}
