import type { Filling } from '../filling.ts'

export interface Initiative {
  id: string
  /** The decision that tickets refer to. */
  decision: string
}

interface Stored {
  id: string
  criteria: { id: string }[]
  decisions: { id: string }[]
}

/** What the team wants to achieve, with how sure it is and what it decided. The first one is that of the stories. */
export async function addInitiatives(filling: Filling): Promise<Initiative[]> {
  const found = []
  for (const plan of plans) found.push(await addOne(filling, plan))
  return found
}

type Plan = (typeof plans)[number]

async function addOne({ call, ago }: Filling, plan: Plan): Promise<Initiative> {
  const { decision, decidedDaysAgo, ...json } = plan
  const { id, criteria } = await call<Stored>('/api/initiatives', { json })
  for (const [index, { id: criterion }] of criteria.entries())
    await call(`/api/initiatives/${id}/criteria/${criterion}`, {
      method: 'PATCH',
      json: { confidence: 50 + index * 20, reason: 'The figures of the last two weeks' },
    })
  const decided = await call<Stored>(`/api/initiatives/${id}/decisions`, {
    json: { ...decision, decided_by: 'Ada', decided_at: ago(decidedDaysAgo, 10) },
  })
  return { id, decision: decided.decisions[0]?.id ?? '' }
}

const plans = [
  {
    title: 'Totals that add up',
    description:
      'Every total of the shop is right to the cent: in the cart, in the receipt and in the books.',
    owner: 'Ada',
    criteria: [
      { text: 'No total differs between cart and receipt', confidence: 30 },
      { text: 'The books of a month close without corrections', confidence: 40 },
    ],
    findings: [
      {
        text: 'Totals were rounded on each line and once more at the end',
        source: 'The incident of the checkout',
      },
      { text: 'One order in 400 was off by a cent', source: 'The database shop' },
    ],
    open_questions: [{ text: 'Do refunds repeat the rounding of the order?', category: 'clarification' }],
    decision: {
      title: 'Round once, at the end',
      context: 'Lines and the total were rounded, so errors added up.',
      options: ['Round once, at the end', 'Round each line and correct the last'],
      decision: 'Lines are not rounded. The total is rounded once.',
      rationale: 'It is the only way in which cart and receipt always agree.',
      consequences: 'Lines may show a fraction of a cent in the books.',
    },
    decidedDaysAgo: 6,
  },
  {
    title: 'Search below 300 ms',
    description: 'Every search responds within 300 ms for 95 of 100 visitors.',
    owner: 'Mia',
    criteria: [{ text: 'p95 of the search is below 300 ms', confidence: 50 }],
    findings: [
      { text: 'A restart empties the cache, and look-ups take two seconds', source: 'Health checks' },
    ],
    open_questions: [{ text: 'Is a second index server worth its price?', category: 'priority' }],
    decision: {
      title: 'Keep one index server',
      context: 'A second one would halve the time of large searches.',
      options: ['One server', 'Two servers'],
      decision: 'The search keeps one index server this year.',
      rationale: 'Nine of ten searches are fast enough.',
      consequences: 'Rebuilding the index has to work without a pause.',
    },
    decidedDaysAgo: 40,
  },
]
