import { builtInNames, type BuiltInId } from '#gateway/contract'

export type ProviderName = BuiltInId
export const providerNames = Object.keys(builtInNames) as ProviderName[]

export type EndpointName =
  | 'messages'
  | 'count_tokens'
  | 'chat'
  | 'responses'
  | 'stored'
  | 'compact'
  | 'generate'
  | 'agent'
  | 'models'
  | 'key'
  | 'transcriptions'
