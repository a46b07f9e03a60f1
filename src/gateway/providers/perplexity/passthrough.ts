import { passChat } from '../../passthrough/chat-exchange.ts'
import { reportedFault } from '../../passthrough/fault.ts'
import type { ChatExchange, ChatRequest } from '../../provider.ts'
import { sonarUsage } from './usage.ts'

const name = 'Perplexity'

/** Sonar's own Chat Completions API, which Perplexity has retired but still serves to some accounts. */
export function passChatCompletion(request: ChatRequest): ChatExchange {
  return passChat(request, {
    name,
    model: request.model,
    usageOnRequest: false,
    takesMetadata: false,
    usageOf: sonarUsage,
    reported: (error) => reportedFault(name, error),
  })
}
