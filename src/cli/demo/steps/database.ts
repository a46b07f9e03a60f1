import type { Filling } from '../filling.ts'

/** The database of the shop, and runs of an agent in it: one that is done, one that waits for approval, one that asks. */
export async function addDatabase({ call, shopUrl }: Filling): Promise<void> {
  if (shopUrl === undefined) return
  await call('/api/v1/sql/databases', { json: { name: 'shop', url: shopUrl, environment: 'dev' } })
  const agent = await call<{ config: { policy: object } }>('/api/agents/data-engineer')
  await call('/api/agents/data-engineer', {
    method: 'PATCH',
    json: { config: { policy: { ...agent.config.policy, ...policy } } },
  })
  const requests = [
    'How many orders are there by status, and what is their revenue?',
    'Remove carts that were abandoned more than 90 days ago.',
    'Which customers never ordered anything? Write to me which of them you would write to.',
  ]
  for (const request of requests) await call('/api/agents/data-engineer/ask', { json: { request } })
}

const policy = {
  allowed_databases: ['shop'],
  allowed_operations: ['SELECT', 'INSERT', 'EXPLAIN'],
  requires_approval: ['UPDATE', 'DELETE', 'ALTER TABLE', 'CREATE TABLE', 'DROP'],
  environment: 'dev',
}
