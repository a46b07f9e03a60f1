import type { Filling } from '../filling.ts'

const prices: [string, string, string][] = [
  ['demo-large', '12', '48'],
  ['demo-medium', '2.5', '10'],
  ['demo-small', '0.3', '1.2'],
]

export const providerAddress = (worldUrl: string): string => `${worldUrl}/v1`

/** The Demo provider with its prices; agents and stand-ups use its middle model. */
export async function addProvider({ call, worldUrl }: Filling): Promise<void> {
  await call('/providers', {
    json: {
      ...{ id: 'demo', name: 'Demo provider', prefixes: ['demo-'] },
      ...{ base_url: providerAddress(worldUrl), allow_private: true },
    },
  })
  await call('/providers/demo', { json: { api_key: 'demo-provider-key', name: 'Key of the demo' } })
  for (const [model, input, output] of prices)
    await call(`/api/v1/pricing/${model}`, {
      method: 'PUT',
      json: { input_price_per_1m: input, output_price_per_1m: output },
    })
  for (const use of ['agents', 'standups'])
    await call(`/api/v1/default-models/${use}`, { method: 'PUT', json: { model: 'demo-medium' } })
}
