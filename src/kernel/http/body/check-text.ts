import { invalid, invalidField, type Fault } from '#kernel/errors'

/**
 * No text with a NUL or half a surrogate pair can be stored or sent on, wherever in a request it is, and no member may
 * change the prototype of the object it ends up in. The value must not be nested deeper than code can recurse.
 */
export function checkText(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    const reason = whyNotText(value)
    if (reason) throw refusal(path, reason)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkText(item, join(path, String(index)))
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      if (isForbidden(key, member)) throw refusal(path, 'has a member with a name that is not allowed')
      checkText(member, join(path, key))
    }
  }
}

function isForbidden(key: string, member: unknown): boolean {
  if (key === '__proto__' || whyNotText(key) !== undefined) return true
  return key === 'constructor' && typeof member === 'object' && member !== null && 'prototype' in member
}

function whyNotText(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain NUL characters'
  return text.isWellFormed() ? undefined : 'must be valid Unicode: it contains half of a surrogate pair'
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

const refusal = (path: string, reason: string): Fault =>
  path === '' ? invalid(`The body ${reason}.`) : invalidField(path.slice(0, 200), reason)
