import type { Config } from '#kernel/config'
import type { Target } from '#kernel/db'
import { StartFault } from '#kernel/errors'
import type { Secret } from '#kernel/log'
import { createCaller, type Call, type Caller } from './demo-api.ts'
import { demoLink } from './demo-link.ts'
import { readDemoNote, writeDemoNote, type DemoNote } from './demo-note.ts'
import { fillGroup } from './fill.ts'
import { createFilling } from './filling.ts'
import { moveAddresses } from './move-addresses.ts'
import { openShopDatabase, type ShopDatabase } from './shop-database.ts'
import { isWorldAt, startWorld, type World } from './world.ts'

/** A server that has started, and whose owner fills the demo. */
export interface DemoServer {
  url: string
  ownerToken: Secret
}

/** What the demo has outside of Signalbox. It is there before the server checks its services. */
export interface Demo {
  /** Fills the group where that was not done before, and returns its ID. */
  fillOnce(server: DemoServer, say: (line: string) => void): Promise<string>
  stop(): Promise<void>
}

const groupName = 'Demo'

export async function openDemo({ DATA_DIR }: Config, target: Target): Promise<Demo> {
  const note = readDemoNote(DATA_DIR)
  const world = await startWorld(note?.world_port ?? 0)
  const shop = await openShopDatabase(target, note?.database_port ?? 0)
  const save = (group_id: string, is_filled: boolean): void =>
    writeDemoNote(DATA_DIR, { group_id, is_filled, world_port: world.port, database_port: shop?.port ?? 0 })
  return {
    async fillOnce(server, say) {
      const { call } = callerOf(server)
      const known = await findDemo(call, note)
      if (known) await leaveToOthers(known, world, server.url)
      if (known?.is_filled === true) {
        await moveAddresses(callerOf(server, known.group_id).call, known, world, shop)
        save(known.group_id, true)
        return known.group_id
      }
      // It was interrupted: its group is known by its ID, so nothing else is removed.
      if (known) await call(`/api/v1/groups/${known.group_id}`, { method: 'DELETE' })
      const groupId = await makeGroup(call)
      save(groupId, false)
      try {
        await shop?.make()
        await fillGroup(fillingOf(server, groupId, world, shop), say)
      } catch (error) {
        await call(`/api/v1/groups/${groupId}`, { method: 'DELETE' }).catch(() => undefined)
        throw error
      }
      save(groupId, true)
      return groupId
    },
    async stop() {
      await world.stop()
      await shop?.stop()
    },
  }
}

/** Another process plays this demo, or is still filling it: nothing of it may be moved or removed. */
async function leaveToOthers(known: DemoNote, { port }: World, url: string): Promise<void> {
  if (known.world_port === port || !(await isWorldAt(known.world_port))) return
  const state = known.is_filled ? 'runs already' : 'is being filled by another process'
  throw new StartFault(`The demo ${state}: ${demoLink(url, known.group_id)}`)
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
      `There is already a group "${groupName}" that the demo has not filled. Rename or delete it, then start the demo again.`,
    )
  return (await call<Group>('/api/v1/groups', { json: { name: groupName } })).id
}
