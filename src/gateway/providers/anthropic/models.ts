export type ThinkingType = 'adaptive' | 'enabled' | 'disabled' | 'between_tools'
export type ClaudeEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max'

/** What a model accepts; the model list does not include this. */
export interface ClaudeCapabilities {
  /** The maximum of output tokens per response. */
  output: number
  /** Takes temperature, top_p and top_k. */
  sampling: boolean
  thinking: readonly ThinkingType[]
  efforts: readonly ClaudeEffort[]
  /** Can be made to call a tool. */
  forcedTools: boolean
  /** Continues a trailing assistant message. */
  prefill: boolean
  /** Takes system messages after a user turn. */
  laterSystem: boolean
  /** Thinking blocks are bound to the model and to the conversation before them. */
  bound: boolean
}

const everyEffort = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** Also what is assumed of a model that is not in the table: new ones take less, not more. */
const newest: ClaudeCapabilities = {
  output: 128_000,
  sampling: false,
  thinking: ['adaptive'],
  efforts: everyEffort,
  forcedTools: false,
  prefill: false,
  laterSystem: true,
  bound: true,
}
const fifth: ClaudeCapabilities = {
  ...newest,
  thinking: ['adaptive', 'disabled'],
  forcedTools: true,
  bound: false,
}
const fourSix: ClaudeCapabilities = {
  ...fifth,
  sampling: true,
  thinking: ['adaptive', 'enabled', 'disabled'],
  efforts: ['low', 'medium', 'high', 'max'],
  laterSystem: false,
}
const fourFive: ClaudeCapabilities = {
  ...fourSix,
  output: 64_000,
  thinking: ['enabled', 'disabled'],
  efforts: [],
  prefill: true,
}

const table: Readonly<Record<string, ClaudeCapabilities>> = {
  'fable-5-2': newest,
  'fable-5-1': newest,
  'fable-5': { ...fifth, thinking: ['adaptive'] },
  'opus-5-5': newest,
  'sonnet-5-5': { ...newest, thinking: ['adaptive', 'between_tools'] },
  'haiku-5-5': fifth,
  'opus-5': fifth,
  'sonnet-5': { ...fifth, laterSystem: false },
  'opus-4-8': fifth,
  'opus-4-7': { ...fifth, laterSystem: false },
  'opus-4-6': fourSix,
  'sonnet-4-6': fourSix,
  'opus-4-5': fourFive,
  'sonnet-4-5': fourFive,
  'haiku-4-5': fourFive,
}

/** `claude-<line>-<version>`, with or without the date of a snapshot. */
export function capabilitiesOf(model: string): ClaudeCapabilities {
  const plain = model.replace(/^claude-/, '').replace(/-\d{8}$/, '')
  const known = Object.hasOwn(table, plain) ? table[plain] : undefined
  if (known) return known
  const [, major, minor = '0'] = /^[a-z]+-(\d)(?:-(\d))?$/.exec(plain) ?? []
  const isOld = major !== undefined && Number(`${major}.${minor}`) <= 4.5
  if (isOld) return { ...fourFive, output: 32_000 }
  // The oldest names put the version first: claude-3-5-sonnet.
  return /^[123]-/.test(plain) ? { ...fourFive, output: 4096 } : newest
}
