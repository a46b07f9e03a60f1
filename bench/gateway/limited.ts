import { addProviderKeys, type Target } from './targets.ts'

/**
 * A group with limits and a route in the process of another target: two processes of the same code differ by more than
 * the limits cost.
 */
export async function addLimitedGroup(beside: Target): Promise<Target> {
  const { origin } = beside.job(anyScenario)
  const group = await create(origin, '/api/v1/groups', beside.asOwner, { name: 'Limited' })
  const admin = { ...beside.asOwner, 'x-group-id': String(group['id']) }
  await addProviderKeys(origin, admin)
  const { key } = await create(origin, '/api/v1/keys', admin, { name: 'bench', scopes: ['gateway'] })
  await setLimits(origin, admin)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${String(key)}` }
  return {
    ...beside,
    name: 'limited',
    idle: undefined,
    job: (scenario) => ({ ...beside.job(scenario), headers }),
    stop: () => Promise.resolve(),
  }
}

const anyScenario = {
  name: '',
  wire: 'openai',
  isStream: false,
  chunks: 1,
  concurrency: 1,
  requests: 1,
} as const

/** Three limits of the group, none of which is ever reached, and a route beside the model that is asked for. */
async function setLimits(origin: string, admin: Record<string, string>): Promise<void> {
  const targets = [{ model: 'gpt-6-sol' }, { model: 'gpt-6' }]
  await create(origin, '/api/v1/routes', admin, { name: 'fast', targets })
  const subject = { type: 'group' }
  for (const limit of [
    { subject, metric: 'cost', amount: '1000000', window: 'month', unpriced: 'allow' },
    { subject, metric: 'tokens', amount: 1_000_000_000_000, window: 'day' },
    { subject, metric: 'requests', amount: 1_000_000_000, window: 'hour' },
  ])
    await create(origin, '/api/v1/limits', admin, limit)
}

async function create(
  origin: string,
  path: string,
  headers: Record<string, string> | undefined,
  body: unknown,
): Promise<Record<string, unknown>> {
  const response = await fetch(origin + path, {
    method: 'POST',
    headers: headers ?? {},
    body: JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`${path} was not accepted: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}
