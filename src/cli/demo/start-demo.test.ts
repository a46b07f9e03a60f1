import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runCommand, spawnProduct } from '#test/process'
import { temporaryFolder } from '#test/product'
import { writeDemoNote } from './demo-note.ts'
import { startWorld } from './world.ts'

test('signalbox demo leaves a demo that another process is filling to that process', async () => {
  const folder = temporaryFolder()
  const server = await spawnProduct({ DATA_DIR: folder, RUNTIME: 'builtin', LOG_LEVEL: 'fatal' })
  const groups = async () => (await server.call('/api/v1/groups')).json.data
  // What the other process has made when it begins to fill.
  const world = await startWorld(0)
  after(() => world.stop())
  const { json: group } = await server.call('/api/v1/groups', { json: { name: 'Demo' } })
  writeDemoNote(folder, {
    group_id: group.id,
    is_filled: false,
    world_port: world.port,
    database_port: 0,
  })
  const before = await groups()
  const { code, stderr } = await runCommand(['demo'], { DATA_DIR: folder })
  assert.equal(code, 1, stderr)
  assert.match(stderr, new RegExp(`The demo is being filled by another process: \\S+group_id=${group.id}`))
  assert.deepEqual(await groups(), before)
})
