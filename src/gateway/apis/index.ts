import { chat } from './chat.ts'
import type { Dialect } from '../api.ts'
import { countTokens } from './messages/count-tokens.ts'
import { messages } from './messages/index.ts'
import { responses } from './responses/index.ts'

export { readBody } from '../request/body.ts'
export { chat }
export type { ClientRequest, Dialect } from '../api.ts'

/** Every form in which clients may ask. */
export const dialects: readonly Dialect[] = [chat, responses, messages, countTokens]
