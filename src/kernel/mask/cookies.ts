import { isReal, masked } from './masked.ts'

/** A header, a member of an object, an assignment or an option, up to its first `name=`. */
const start =
  /(cookie2?\\{0,7}["'`]?[ \t]{0,8}[:=,][ \t]{0,8}|(?:--cookie|\s-b)[ \t=]{1,8})(\\{0,7}["'`[]{0,2})(?=[\w.%-]{1,100}=)/gi
const end = /["'`\\\r\n]/g
const pair = /([\w.%-]{1,100}=)([^;,\s]{6,8192})/g
const isAttribute = /^(?:path|domain|expires|max-age|samesite|priority|version|comment)=$/i

/** Values of cookies; their names stay, and so do the attributes of `Set-Cookie` and short values. */
export function maskCookies(text: string): string {
  let result = ''
  let from = 0
  start.lastIndex = 0
  for (let match = start.exec(text); match !== null; match = start.exec(text)) {
    const at = start.lastIndex
    end.lastIndex = at
    const cookies = text.slice(at, end.exec(text)?.index ?? text.length)
    result += text.slice(from, at) + cookies.replace(pair, maskPair)
    from = at + cookies.length
    start.lastIndex = from
  }
  return result + text.slice(from)
}

function maskPair(whole: string, name: string, value: string): string {
  return isAttribute.test(name) || !isReal(value) ? whole : `${name}${masked}`
}
