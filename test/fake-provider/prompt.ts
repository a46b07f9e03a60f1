import { isObject } from './json.ts'

interface OfferedTool {
  name: string
  schema: unknown
}

/** What a request asks for, in a shape common to all five providers. */
export interface Prompt {
  model: string
  /** The text of the last user turn. */
  text: string
  images: number
  documents: number
  audio: number
  tools: OfferedTool[]
  toolChoice: 'auto' | 'none' | 'required' | { name: string }
  parallel: boolean
  /** Texts of the tool results that end the conversation, if it ends with such. */
  toolResults: string[]
  /** A schema the text must satisfy, or `object` for any JSON object. */
  json: { schema: unknown } | 'object' | undefined
  stop: string[]
  maxTokens: number | undefined
  /** `hidden`: the model thinks and bills for it, but the text is not shown. */
  reasoning: 'none' | 'hidden' | 'shown'
  inputTokens: number
}

export const emptyPrompt: Prompt = {
  model: '',
  text: '',
  images: 0,
  documents: 0,
  audio: 0,
  tools: [],
  toolChoice: 'auto',
  parallel: true,
  toolResults: [],
  json: undefined,
  stop: [],
  maxTokens: undefined,
  reasoning: 'none',
  inputTokens: 0,
}

const tokensPerAttachment = 258

/** Four bytes a token: crude, but the same on every run and never zero for a text. */
export function countTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

/** Tokens of everything that is text in a request; attachments count a fixed number each. */
export function countInput(value: unknown, key = ''): number {
  if (typeof value === 'string') {
    const attached = key === 'data' || key === 'file_data' || value.startsWith('data:')
    return attached ? tokensPerAttachment : countTokens(value)
  }
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countInput(item), 0)
  if (!isObject(value)) return 0
  return Object.entries(value).reduce((sum, [name, item]) => sum + countInput(item, name), 0)
}
