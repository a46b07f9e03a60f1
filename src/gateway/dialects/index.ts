import { chat } from './chat.ts'
import type { Dialect } from './dialect.ts'
import { countTokens } from './messages/count-tokens.ts'
import { messages } from './messages/index.ts'
import { responses } from './responses/index.ts'

export { readBody } from './body.ts'
export { chat }
export type { ClientRequest, Dialect } from './dialect.ts'

/** Every form in which clients may ask. */
export const dialects: readonly Dialect[] = [chat, responses, messages, countTokens]
