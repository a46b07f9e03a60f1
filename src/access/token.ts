import { createHash, randomBytes } from 'node:crypto'

/** API keys and one-time links contain 32 random bytes; only their SHA-256 is stored. */
export function newApiKeyValue(): string {
  return `sb-${randomBytes(32).toString('base64url')}`
}

export function newLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
