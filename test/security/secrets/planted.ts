import { randomBytes } from 'node:crypto'

const random = (bytes: number): string => randomBytes(bytes).toString('hex')

/** Keys in the shapes of several vendors, and in one that no pattern knows. They are sent upstream and quoted back. */
export const vendorKeys = {
  openai: `sk-proj-${random(24)}`,
  anthropic: `sk-ant-api03-${random(32)}-AA`,
  gemini: `AIzaSy${random(17).slice(0, 33)}`,
  perplexity: `pplx-${random(24)}`,
  openrouter: `sk-or-v1-${random(32)}`,
  // Characters that base64, URLs and JSON write in another way.
  custom: `${random(6)}/own+shape=${random(6)}"~`,
} as const

export const typedSecrets = {
  password: `planted password ${random(8)}`,
  'new password': `planted new password ${random(8)}`,
  'wrong password': `planted wrong password ${random(8)}`,
  'unknown API key': `sb-${random(20)}`,
} as const

export const masterKey = randomBytes(32).toString('base64')

/** As the secret itself, and as it looks after the usual encodings. */
export function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret)
  const texts = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ]
  return [...new Set(texts)].map((text) => Buffer.from(text))
}

/** Inside a longer text, base64 depends on where the secret begins; the characters that its neighbours share are cut off. */
function base64At(bytes: Buffer, offset: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes])
  const whole = padded.subarray(0, padded.length - (padded.length % 3))
  const skipped = offset === 0 ? 0 : 4
  return [whole.toString('base64').slice(skipped), whole.toString('base64url').slice(skipped)]
}
