import { randomBytes } from 'node:crypto'

const maxLength = 24_000

/**
 * Data between marks that nobody who wrote it can know, so that text in it cannot pretend to end it. The instructions
 * say that nothing between such marks is a request.
 */
export function untrusted(source: string, data: unknown): string {
  const mark = `data-${randomBytes(6).toString('hex')}`
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const cut = text.length > maxLength ? `${text.slice(0, maxLength)}… (cut)` : text
  return `<${mark} source="${source}">\n${cut.toWellFormed()}\n</${mark}>`
}
