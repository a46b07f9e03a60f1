import { createHash } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Identifiers that look like the providers' own and come in the same order on every run. */
export class Identifiers {
  #count = 0

  next(prefix: string, length: number): string {
    this.#count += 1
    return prefix + this.#letters(length)
  }

  hexadecimal(prefix: string, length: number): string {
    this.#count += 1
    return prefix + digest(`hexadecimal ${this.#count}`).slice(0, length)
  }

  #letters(length: number): string {
    const bytes = createHash('sha512').update(`identifier ${this.#count}`).digest()
    return Array.from(bytes.subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('')
  }
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** An opaque token that can be recognised and read when it comes back. */
export function seal(content: unknown): string {
  return Buffer.from(`sealed:${JSON.stringify(content)}`).toString('base64')
}

export function unseal(token: string): unknown {
  const text = Buffer.from(token, 'base64').toString()
  if (!text.startsWith('sealed:')) return undefined
  try {
    return JSON.parse(text.slice('sealed:'.length))
  } catch {
    return undefined
  }
}
