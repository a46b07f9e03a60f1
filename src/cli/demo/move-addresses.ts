import type { Call } from './demo-api.ts'
import type { DemoNote } from './demo-note.ts'
import type { ShopDatabase } from './shop-database.ts'
import { providerAddress } from './steps/provider.ts'
import { channelName, healthAddress, receiverAddress } from './steps/services.ts'
import type { World } from './world.ts'

/** Where something else has the ports of the last time: people may have changed or removed what is in the group. */
export async function moveAddresses(
  call: Call,
  known: DemoNote,
  world: World,
  shop: ShopDatabase | undefined,
): Promise<void> {
  const change = (path: string, json: object): Promise<unknown> =>
    call(path, { method: 'PATCH', json, expect: [404] })
  if (shop && shop.port !== known.database_port) await change('/api/v1/sql/databases/shop', { url: shop.url })
  if (world.port === known.world_port) return
  await change('/providers/demo', { base_url: providerAddress(world.url) })
  const services = await call<{ data: { id: string; name: string; url: string | null }[] }>('/api/services')
  for (const { id, name, url } of services.data)
    if (url?.endsWith(`:${known.world_port}/health/${name}`) === true)
      await change(`/api/services/${id}`, { url: healthAddress(world.url, name) })
  const channels = await call<{ data: { id: string; name: string }[] }>('/api/v1/channels')
  for (const { id, name } of channels.data)
    if (name === channelName)
      await change(`/api/v1/channels/${id}`, { config: { url: receiverAddress(world.url) } })
}
