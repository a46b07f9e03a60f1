import type { Config } from '#kernel/config'
import type { Target } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import type { Secret } from '#kernel/log'
import { createCaller, type Call, type Caller } from './demo-api.ts'
import { readDemoNote, writeDemoNote, type DemoNote } from './demo-note.ts'
import { fillGroup } from './fill.ts'
import { createFilling } from './filling.ts'
import { openShopDatabase, type ShopDatabase } from './shop-database.ts'
import { providerAddress } from './steps/provider.ts'
import { healthAddress } from './steps/services.ts'
import { startWorld, type World } from './world.ts'

export interface DemoServer {
  config: Config
  target: Target
  url: string
  ownerToken: Secret
}

export interface Demo {
  groupId: string
  stop(): Promise<void>
}

const groupName = 'Demo'

/**
 * Starts what the demo has outside of Signalbox, and fills its group where that was not done before. A demo that was
 * interrupted is removed, by the ID of its group, and filled again.
 */
export async function startDemo(server: DemoServer, say: (line: string) => void): Promise<Demo> {
  const { dataDir, asOwner } = { dataDir: server.config.DATA_DIR, asOwner: callerOf(server) }
  const known = await findDemo(asOwner.call, readDemoNote(dataDir))
  const world = await startWorld(known?.world_port ?? 0)
  const shop = await openShopDatabase(server.target, known?.database_port ?? 0)
  const stop = async (): Promise<void> => {
    await world.stop()
    await shop?.stop()
  }
  const noteOf = (group_id: string, is_filled: boolean): DemoNote => ({
    ...{ group_id, is_filled, world_port: world.port, database_port: shop?.port ?? 0 },
  })
  try {
    if (known?.is_filled === true) {
      if (world.port !== known.world_port || shop?.port !== known.database_port)
        await moveAddresses(callerOf(server, known.group_id).call, world, shop)
      writeDemoNote(dataDir, noteOf(known.group_id, true))
      return { groupId: known.group_id, stop }
    }
    if (known) await asOwner.call(`/api/v1/groups/${known.group_id}`, { method: 'DELETE' })
    const groupId = await makeGroup(asOwner.call)
    writeDemoNote(dataDir, noteOf(groupId, false))
    await fillGroup(fillingOf(server, groupId, world, shop), say)
    writeDemoNote(dataDir, noteOf(groupId, true))
    return { groupId, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function fillingOf(server: DemoServer, groupId: string, world: World, shop: ShopDatabase | undefined) {
  return createFilling({
    ...callerOf(server, groupId),
    callWith: (key) => createCaller(server.url, { authorization: `Bearer ${key}` }).call,
    worldUrl: world.url,
    shopUrl: shop?.url,
  })
}

function callerOf({ url, ownerToken }: DemoServer, groupId?: string): Caller {
  const token = { 'x-owner-token': ownerToken.reveal() }
  return createCaller(url, groupId === undefined ? token : { ...token, 'x-group-id': groupId })
}

interface Group {
  id: string
  name: string
}

const groupsOf = async (call: Call): Promise<Group[]> =>
  (await call<{ data: Group[] }>('/api/v1/groups')).data

/** What the note says, where its group is still there. */
async function findDemo(call: Call, note: DemoNote | undefined): Promise<DemoNote | undefined> {
  return note && (await groupsOf(call)).some(({ id }) => id === note.group_id) ? note : undefined
}

async function makeGroup(call: Call): Promise<string> {
  if ((await groupsOf(call)).some(({ name }) => name === groupName))
    throw new StartFault(
      `There is a group "${groupName}" already that this data directory has not filled. Rename or delete it, then start the demo again.`,
    )
  return (await call<Group>('/api/v1/groups', { json: { name: groupName } })).id
}

/** Something else has the ports of the last time. */
async function moveAddresses(call: Call, world: World, shop: ShopDatabase | undefined): Promise<void> {
  const change = async (path: string, json: object): Promise<void> => {
    await call(path, { method: 'PATCH', json, expect: [404] })
  }
  await change('/providers/demo', { base_url: providerAddress(world.url) })
  if (shop) await change('/api/v1/sql/databases/shop', { url: shop.url })
  const services = await call<{ data: { id: string; name: string; url: string | null }[] }>('/api/services')
  for (const { id, name, url } of services.data)
    if (url?.endsWith(`/health/${name}`) === true)
      await change(`/api/services/${id}`, { url: healthAddress(world.url, name) })
  const channels = await call<{ data: { id: string; name: string }[] }>('/api/v1/channels')
  for (const { id, name } of channels.data)
    if (name === 'On-call (demo)')
      await change(`/api/v1/channels/${id}`, { config: { url: `${world.url}/on-call` } })
}
