import type { Api } from '../api.ts'
import { chat } from './chat.ts'
import { countTokens } from './messages/count-tokens.ts'
import { messages } from './messages/index.ts'
import { compact } from './responses/compact.ts'
import { inputTokens } from './responses/input-tokens.ts'
import { responses } from './responses/index.ts'

export { chat }
export { messagesErrors } from './messages/errors.ts'
export { isMessagesClient } from './messages/headers.ts'

/** Every API that clients may use. */
export const apis: readonly Api[] = [chat, responses, compact, inputTokens, messages, countTokens]
