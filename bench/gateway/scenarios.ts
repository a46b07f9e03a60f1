export interface Scenario {
  name: string
  /** The provider whose wire is spoken upstream. */
  wire: 'openai' | 'anthropic'
  isStream: boolean
  /** Content chunks of the fake provider's response; a plain one holds their text in one piece. */
  chunks: number
  /** Pause between chunks in milliseconds; without one they come in a burst. */
  everyMs?: number
  concurrency: number
  /** In one round. */
  requests: number
}

/** In an order that seldom restarts the fake provider. */
export const scenarios: readonly Scenario[] = [
  { name: 'plain', wire: 'openai', isStream: false, chunks: 50, concurrency: 32, requests: 3000 },
  { name: 'stream 50', wire: 'openai', isStream: true, chunks: 50, concurrency: 32, requests: 1500 },
  { name: 'stream 50, alone', wire: 'openai', isStream: true, chunks: 50, concurrency: 1, requests: 2000 },
  {
    name: 'plain, translated',
    wire: 'anthropic',
    isStream: false,
    chunks: 50,
    concurrency: 32,
    requests: 2000,
  },
  {
    name: 'stream 50, translated',
    wire: 'anthropic',
    isStream: true,
    chunks: 50,
    concurrency: 32,
    requests: 1000,
  },
  { name: 'stream 1000', wire: 'openai', isStream: true, chunks: 1000, concurrency: 32, requests: 200 },
  {
    name: 'stream 1000, translated',
    wire: 'anthropic',
    isStream: true,
    chunks: 1000,
    concurrency: 32,
    requests: 120,
  },
  {
    name: 'stream 100, paced',
    wire: 'openai',
    isStream: true,
    chunks: 100,
    everyMs: 5,
    concurrency: 32,
    requests: 64,
  },
]

/** The text of one chunk, as the fake provider sends it. */
export const chunkText = 'token '

const system =
  'You are a careful assistant in a team of engineers. Answer briefly, and say what you are not sure of. '
const question =
  'Which of the two functions below is easier to read, and what would you change in the other one? '

/** A request of about 1.2 KB in OpenAI's format. */
export function chatBody({ wire, isStream }: Scenario): string {
  return JSON.stringify({
    model: wire === 'openai' ? 'gpt-4.1' : 'claude-sonnet-5-5',
    messages: [
      { role: 'system', content: system.repeat(5) },
      { role: 'user', content: question.repeat(6) },
    ],
    max_tokens: 1024,
    ...(isStream && { stream: true }),
  })
}

/** The same in the provider's own form, for a proxy that translates nothing. */
export function providerBody(scenario: Scenario): string {
  if (scenario.wire === 'openai') return chatBody(scenario)
  return JSON.stringify({
    model: 'claude-sonnet-5-5',
    max_tokens: 1024,
    system: system.repeat(5),
    messages: [{ role: 'user', content: question.repeat(6) }],
    ...(scenario.isStream && { stream: true }),
  })
}
