import { isReal, maskSpans, type Span } from './masked.ts'

const userPart = /:\/\/[^\s/?#:@"'`\\<>]{0,100}:/g
/** A password may contain what should have been escaped, so this ends only where the address does. */
const rest = /[^\s?"'`\\<>]{1,300}/y
const isPort = /^(?:\d{1,5}|port)$/i

/** Passwords in addresses such as `postgres://user:password@host`, also those with `@` or `/` in them. */
export function maskPasswordsInAddresses(text: string, seen: Set<string>): string {
  const spans: Span[] = []
  userPart.lastIndex = 0
  for (let match = userPart.exec(text); match !== null; match = userPart.exec(text)) {
    const from = userPart.lastIndex
    const length = passwordLength(text, from)
    const password = text.slice(from, from + length)
    if (length === 0 || !isReal(password)) continue
    spans.push({ from, to: from + length })
    if (password.length >= 12) seen.add(password)
    userPart.lastIndex = from + length
  }
  return maskSpans(text, spans)
}

function passwordLength(text: string, from: number): number {
  rest.lastIndex = from
  const address = rest.exec(text)?.[0] ?? ''
  const slash = address.indexOf('/')
  const authority = slash === -1 ? address : address.slice(0, slash)
  if (isPort.test(authority)) return 0
  // An `@` behind a slash begins the name of a package, unless there is none before.
  const at = Math.max(lastAt(address), authority.lastIndexOf('@'))
  return Math.max(0, at === -1 ? address.lastIndexOf('@') : at)
}

function lastAt(address: string): number {
  let at = address.lastIndexOf('@')
  while (at > 0 && address[at - 1] === '/') at = address.lastIndexOf('@', at - 1)
  return at
}
