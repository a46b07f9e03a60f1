import type { Call } from '../demo-api.ts'
import { eachOf, type Filling } from '../filling.ts'
import { previewModel } from '../model.ts'
import type { Session } from './sessions.ts'

interface Sender {
  name: string
  /** How many requests it sends with each model. */
  requests: [model: string, count: number, characters: number][]
  prompt: string
  tag: string
}

const senders: Sender[] = [
  {
    name: 'Support assistant (demo)',
    requests: [
      ['demo-medium', 46, 9_000],
      ['demo-small', 40, 4_000],
    ],
    prompt: 'Answer this customer, who waits for a refund.',
    tag: 'support',
  },
  {
    name: 'Product texts (demo)',
    requests: [
      ['demo-small', 50, 6_000],
      ['demo-large', 24, 60_000],
    ],
    prompt: 'Write the product text of this article.',
    tag: 'catalogue',
  },
  {
    name: "Ada's assistant (demo)",
    requests: [['demo-medium', 20, 30_000]],
    prompt: 'Review this diff.',
    tag: 'coding',
  },
]

const colleague = "Ben's assistant (demo)"

/** Real requests through the gateway, so they are of today: nothing can be written to the usage log afterwards. */
export async function addRequests(filling: Filling, sessions: readonly Session[]): Promise<string> {
  for (const sender of senders) await sendAll(filling, await newKey(filling, sender.name), sender)
  const { id, ask } = await newKey(filling, colleague)
  const recent = sessions.filter(({ daysAgo }) => daysAgo <= 14)
  await eachOf(recent, 4, async ({ key, title }) => {
    for (const characters of [24_000, 40_000, 52_000])
      await ask('demo-medium', `${title}. Review the diff.`, characters, { 'x-signalbox-session': key })
  })
  // More than demo-small takes, a model that there is not, and one that has no capacity.
  await ask('demo-small', 'Summarize the log of the night.', 90_000)
  await ask('demo-xlarge', 'Review this diff.', 2_000)
  for (let time = 0; time < 3; time += 1) await ask(previewModel, 'Review this diff.', 2_000)
  return id
}

type Ask = (
  model: string,
  prompt: string,
  characters: number,
  headers?: Record<string, string>,
) => Promise<unknown>

async function newKey(
  { call, callWith }: Filling,
  name: string,
  tag?: string,
): Promise<{ id: string; ask: Ask }> {
  const { id, key } = await call<{ id: string; key: string }>('/api/v1/keys', {
    json: { name, scopes: ['gateway'] },
  })
  const send: Call = callWith(key)
  const ask: Ask = (model, prompt, characters, headers = {}) =>
    send('/v1/chat/completions', {
      headers,
      expect: [400, 404, 429, 502, 503],
      json: {
        model,
        messages: [{ role: 'user', content: `${prompt}\n\n${paddingOf(characters)}` }],
        ...(tag !== undefined && { metadata: { tags: tag } }),
      },
    })
  return { id, ask }
}

const sentence = 'The order of the demo shop has three lines, a voucher and a delivery to another address. '
const paddingOf = (characters: number): string => sentence.repeat(Math.ceil(characters / sentence.length))

async function sendAll(filling: Filling, { ask }: { ask: Ask }, { requests, prompt }: Sender): Promise<void> {
  const { random } = filling
  const all = requests.flatMap(([model, count, characters]) =>
    Array.from({ length: count }, () => ({ model, characters: random.whole(characters / 2, characters) })),
  )
  await eachOf(all, 8, ({ model, characters }) => ask(model, prompt, characters))
}
