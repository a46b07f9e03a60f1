/** One kind of request that a hostile client repeats. */
export interface Attack {
  name: string
  path: string
  hasKey: boolean
  /** Without Content-Length, in chunks. */
  isChunked?: boolean
  body(): string
}

/** Just under the default of MAX_BODY_BYTES. */
const bodyBytes = 32 * 1024 * 1024 - 1024

const filled = (before: string, piece: string, after: string): string =>
  before +
  piece.repeat(Math.floor((bodyBytes - before.length - after.length) / Buffer.byteLength(piece))) +
  after

const chat = (model: string, piece: string): string =>
  filled(`{"model":"${model}","messages":[{"role":"user","content":"`, piece, '"}]}')

const path = '/v1/chat/completions'
const passthrough = 'gpt-6-sol'
const translated = 'claude-sonnet-5-5'

export const attacks: readonly Attack[] = [
  {
    name: 'sign-in',
    path: '/api/auth/sign-in/email',
    hasKey: false,
    body: () => filled('{"email":"', 'x', '"}'),
  },
  { name: 'chat without a key', path, hasKey: false, body: () => chat(passthrough, 'x') },
  { name: 'nested arrays', path, hasKey: true, body: () => filled('', '[', '') },
  { name: 'empty objects', path, hasKey: true, body: () => filled('[', '{},', '0]') },
  { name: 'numbers', path: '/api/v1/embed', hasKey: true, body: () => filled('{"text":[', '0,', '0]}') },
  { name: 'long text', path, hasKey: true, body: () => chat(passthrough, 'x') },
  { name: 'long text in chunks', path, hasKey: true, isChunked: true, body: () => chat(passthrough, 'x') },
  { name: 'escapes', path, hasKey: true, body: () => chat(passthrough, '\\n') },
  { name: 'text of two bytes', path, hasKey: true, body: () => chat(passthrough, 'é日') },
  { name: 'long text, translated', path, hasKey: true, body: () => chat(translated, 'x') },
  { name: 'escapes, translated', path, hasKey: true, body: () => chat(translated, '\\n') },
]
