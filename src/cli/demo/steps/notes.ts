import { eachOf, type Filling } from '../filling.ts'
import { people, services, work } from '../words.ts'

/** Devlogs of three months, what was learned, instructions for agents, and events of the last weeks. */
export async function addNotes(filling: Filling): Promise<void> {
  const { call, ago, random } = filling
  await eachOf(work.slice(0, 30), 6, async ({ title, service }) => {
    const daysAgo = random.whole(0, 88)
    await call('/api/devlogs', {
      json: {
        ...{ title, service_id: service, log_type: random.pick(['note', 'decision', 'config'] as const) },
        content: `## What changed\n\n${title}.\n\n## Why\n\nA customer of the demo shop asked for it, and it was small.`,
        ...{
          tags: [service],
          author: random.pick(people),
          created_at: ago(daysAgo, 16, random.whole(0, 59)),
        },
      },
    })
  })
  for (const learning of learnings) await call('/api/learnings', { json: { ...learning, author: 'Mia' } })
  for (const skill of skills) await call('/api/skills', { json: skill })
  await call('/api/console/events', { json: Array.from({ length: 400 }, () => eventOf(filling)) })
}

const happenings = [
  { type: 'config', severity: 'info', title: 'Feature switched on for a tenth of the visitors' },
  { type: 'sync', severity: 'info', title: 'Prices of the suppliers imported' },
  { type: 'sync', severity: 'debug', title: 'Index updated' },
  { type: 'error', severity: 'warning', title: 'Payment tried again after a timeout' },
  { type: 'error', severity: 'error', title: 'A picture could not be resized' },
  { type: 'health_check', severity: 'info', title: 'Certificates checked' },
] as const

function eventOf({ random, ago }: Filling): object {
  const { name } = random.pick(services)
  const { type, severity, title } = random.pick(happenings)
  const created_at = ago(random.whole(0, 27), random.whole(0, 23), random.whole(0, 59))
  return { type, severity, title, service: name, source: 'demo-shop', created_at }
}

const learnings = [
  {
    title: 'Round money once',
    category: 'design',
    content: 'Rounding on lines and again at the end is off by a cent in one of 400 orders.',
  },
  {
    title: 'Retries need a pause',
    category: 'operations',
    content: 'Without one, all clients return at once after an outage.',
  },
  {
    title: 'A full queue is silent',
    category: 'operations',
    content: 'The mail queue was full for an hour before anybody noticed. It has a health check now.',
  },
]
const skills = [
  {
    name: 'release-checkout',
    description: 'How the checkout is released',
    content: '1. Merge before 14:00.\n2. Watch the orders for ten minutes.\n3. Take it back if one fails.',
  },
  {
    name: 'answer-customers',
    description: 'How customers are answered',
    content: 'Short, friendly, with the number of the order.',
  },
]
