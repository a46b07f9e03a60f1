import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { temporaryFolder } from '#test/product'
import { removeSocketFolder } from './server-address.ts'

/** As a server does that is just starting: it makes its socket again as soon as that is gone. */
const starting = `
  const { existsSync, writeFileSync } = require('node:fs')
  const { parentPort, workerData } = require('node:worker_threads')
  parentPort.postMessage('watching')
  while (existsSync(workerData));
  try { writeFileSync(workerData, '') } catch {}
`

test('the folder of the socket goes, also while its server is just making the socket', async () => {
  for (let round = 0; round < 30; round++) {
    const host = mkdtempSync(join(temporaryFolder(), 'signalbox-'))
    const socket = join(host, '.s.PGSQL.5432')
    for (const file of [socket, `${socket}.lock`]) writeFileSync(file, '')
    const server = new Worker(starting, { eval: true, workerData: socket })
    await once(server, 'message')
    removeSocketFolder({ host, port: 5432 })
    assert.equal(existsSync(host), false, `round ${round}`)
    await server.terminate()
  }
})

test('what somebody else keeps in it stays', () => {
  const host = mkdtempSync(join(temporaryFolder(), 'signalbox-'))
  writeFileSync(join(host, 'other'), '')
  removeSocketFolder({ host, port: 5432 })
  assert.equal(existsSync(join(host, 'other')), true)
})
