import type { Filling } from '../filling.ts'

interface Limit {
  id: string
  used: string
}

const usedShare = 0.94

/** A budget near its end: what the key has used so far is most of it. */
export async function addBudget({ call }: Filling, keyId: string): Promise<void> {
  const limit = await call<Limit>('/api/v1/limits', {
    json: { subject: { type: 'api_key', id: keyId }, metric: 'cost', amount: '1000', window: 'month' },
  })
  const amount = (Number(limit.used) / usedShare).toFixed(2)
  await call(`/api/v1/limits/${limit.id}`, { method: 'PATCH', json: { amount } })
  await call('/api/v1/alerts', {
    json: {
      name: 'A budget is nearly spent',
      kind: 'budget',
      severity: 'warning',
      config: { limit_id: limit.id, at: [80] },
    },
  })
}
