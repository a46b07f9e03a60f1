import { invalid, invalidField, type Fault } from '#kernel/errors'

/** Lists show names in one line, and beside other names. What is deeper in a body may be data of somebody else. */
const namePath = /^(\d+\.)?([^.]+_)?name$/
const controlCharacter = /\p{Cc}/u
/** Turn around how the text after them is read, so that a name looks like another one. */
const directionOverride = /[\u202a-\u202e\u2066-\u2069]/

/**
 * No text with a NUL or half a surrogate pair can be stored or sent on, wherever in a request it is, and no member may
 * change the prototype of the object it ends up in. A name is one line of what people see. The value must not be nested
 * deeper than code can recurse.
 */
export function checkText(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    const reason = whyNotText(value) ?? (namePath.test(path) ? whyNotName(value) : undefined)
    if (reason) throw refusal(path, reason)
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkText(item, join(path, String(index)))
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (isForbidden(name, member)) throw refusal(path, 'has a member with a name that is not allowed')
      checkText(member, join(path, name))
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

function whyNotName(text: string): string | undefined {
  if (controlCharacter.test(text)) return 'must not contain control characters'
  return directionOverride.test(text)
    ? 'must not contain characters that change the direction of text'
    : undefined
}

const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

const refusal = (path: string, reason: string): Fault =>
  path === '' ? invalid(`The body ${reason}.`) : invalidField(path.slice(0, 200), reason)
