export interface GptModel {
  id: string
  created: number
  shutdown: string | null
  /** Efforts it accepts; none for a model that does not reason. */
  efforts: string[]
  defaultEffort: string
  /** Chat Completions refuses function tools while it reasons: always, or only when effort is sent. */
  toolsWithReasoning: 'yes' | 'unless-effort' | 'no'
  /** Answers on `/responses` only. */
  responsesOnly: boolean
}

const upToMax = ['low', 'medium', 'high', 'xhigh', 'max']
const gpt6 = {
  created: 1788000000,
  shutdown: null,
  efforts: ['none', ...upToMax],
  defaultEffort: 'medium',
  toolsWithReasoning: 'no' as const,
  responsesOnly: false,
}
const plain = {
  ...gpt6,
  created: 1720000000,
  shutdown: '2027-01-14',
  efforts: [] as string[],
  defaultEffort: 'none',
  toolsWithReasoning: 'yes' as const,
}

const gptModels: GptModel[] = [
  { ...gpt6, id: 'gpt-6-astra', efforts: upToMax },
  { ...gpt6, id: 'gpt-6.1-sol', efforts: upToMax },
  { ...gpt6, id: 'gpt-6-sol' },
  { ...gpt6, id: 'gpt-6.1-terra' },
  { ...gpt6, id: 'gpt-6-luna' },
  { ...gpt6, id: 'gpt-5.6-sol', created: 1782000000 },
  { ...gpt6, id: 'gpt-5.6-terra', created: 1782000000 },
  { ...gpt6, id: 'gpt-5.6-luna', created: 1782000000 },
  {
    ...gpt6,
    id: 'gpt-5.4',
    created: 1772000000,
    efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
    defaultEffort: 'none',
    toolsWithReasoning: 'unless-effort',
  },
  {
    ...gpt6,
    id: 'gpt-5.5-pro',
    created: 1777000000,
    efforts: ['medium', 'high', 'xhigh'],
    responsesOnly: true,
  },
  {
    ...gpt6,
    id: 'gpt-5.1',
    created: 1762000000,
    shutdown: '2027-04-01',
    efforts: ['none', 'low', 'medium', 'high'],
    defaultEffort: 'none',
    toolsWithReasoning: 'yes',
  },
  {
    ...gpt6,
    id: 'gpt-5-mini',
    created: 1754000000,
    shutdown: '2026-12-11',
    efforts: ['minimal', 'low', 'medium', 'high'],
    toolsWithReasoning: 'yes',
  },
  {
    ...gpt6,
    id: 'o3',
    created: 1744000000,
    shutdown: '2026-12-11',
    efforts: ['low', 'medium', 'high'],
    toolsWithReasoning: 'yes',
  },
  { ...plain, id: 'gpt-4.1' },
  { ...plain, id: 'gpt-4.1-mini' },
  { ...plain, id: 'gpt-4o' },
  { ...plain, id: 'gpt-4o-mini' },
  { ...plain, id: 'chat-latest', shutdown: null },
]

const gone =
  /^(o1|o3-mini|o4-mini|gpt-4|gpt-4-turbo|gpt-3\.5-turbo|gpt-4\.1-nano|gpt-4o-2024-05-13|chatgpt-4o-latest)$/

export const audioModels: { id: string; formats: string[]; streams: boolean }[] = [
  { id: 'gpt-transcribe', formats: ['json'], streams: true },
  { id: 'gpt-4o-transcribe', formats: ['json'], streams: true },
  { id: 'gpt-4o-mini-transcribe', formats: ['json'], streams: true },
  { id: 'gpt-4o-transcribe-diarize', formats: ['json', 'text', 'diarized_json'], streams: true },
  { id: 'whisper-1', formats: ['json', 'text', 'srt', 'verbose_json', 'vtt'], streams: false },
]

export function findGpt(id: string): GptModel | 'gone' | undefined {
  if (gone.test(id)) return 'gone'
  const base = id.startsWith('ft:') ? (id.split(':')[1] ?? '') : id
  const undated = base.replace(/-\d{4}-\d{2}-\d{2}$/, '')
  return gptModels.find((model) => model.id === undated)
}

/** The list as `GET /models` shows it. */
export function describeModels(): unknown {
  const chat = gptModels.map((model) => describe(model.id, model.created, model.shutdown))
  const audio = audioModels.map((model) => describe(model.id, 1677532384, '2027-02-26'))
  return { object: 'list', data: [...chat, ...audio] }
}

function describe(id: string, created: number, shutdown: string | null) {
  return { id, object: 'model', created, owned_by: 'system', shutdown_date: shutdown }
}
