import type { ChatRequest, Provider } from '../provider.ts'
import { passChat } from '../passthrough/chat-exchange.ts'
import { passEmbeddings } from '../passthrough/embeddings.ts'
import { reportedFault, responseFault } from '../passthrough/fault.ts'
import { stringOf } from '../wire/json.ts'
import { describeModel, listedModels } from '../passthrough/models.ts'
import { readChatUsage } from '../passthrough/usage.ts'

export interface CompatibleProvider {
  readonly id: string
  readonly name: string
  /** One that ends with a slash is the gateway's own and is left out of the name sent upstream. */
  readonly prefixes: readonly string[]
  readonly docsUrl?: string
}

/** A custom provider: any server that speaks Chat Completions. */
export function openAiCompatible({ id, name, prefixes, docsUrl = '' }: CompatibleProvider): Provider {
  const ownPrefixes = prefixes
    .filter((prefix) => prefix.endsWith('/'))
    .toSorted((a, b) => b.length - a.length)

  function upstreamModel({ model, requestedModel }: Pick<ChatRequest, 'model' | 'requestedModel'>): string {
    return model === requestedModel ? upstreamName(model) : model
  }

  function upstreamName(model: string): string {
    const prefix = ownPrefixes.find((each) => model.startsWith(each)) ?? ''
    return model.slice(prefix.length)
  }

  /** The name under which a listed model can be requested; undefined when no prefix matches it. */
  function gatewayName(model: string): string | undefined {
    const prefix = ownPrefixes[0]
    if (prefix !== undefined) return prefix + model
    return prefixes.some((each) => model.startsWith(each)) ? model : undefined
  }

  return {
    id,
    specName: null,
    name,
    docsUrl,
    prefixes,
    credentials: (key) => ({ headers: { authorization: `Bearer ${key}` } }),
    chat: (request) =>
      passChat(request, {
        name,
        model: upstreamModel(request),
        usageOnRequest: true,
        // The gateway keeps metadata for its own log; an unknown server does not need it.
        takesMetadata: false,
        usageOf: (response) => readChatUsage(response['usage']),
        reported: (error) => reportedFault(name, error),
      }),
    fault: (response) => responseFault(name, response),
    models: {
      path: '/models',
      read: (body) => ({
        models: listedModels(body).flatMap((entry) => {
          const known = gatewayName(stringOf(entry['id']))
          return known === undefined ? [] : [describeModel(entry, known, id)]
        }),
      }),
    },
    transcriptionPath: '/audio/transcriptions',
    embeddings: {
      exchange: (request) => passEmbeddings(request, { name, model: upstreamName(request.model) }),
    },
  }
}
