import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { createLog, Secret } from './index.ts'

const value = 'sk-planted-0123456789abcdef'

test('a secret cannot be printed, serialised or joined to a text by accident', () => {
  const secret = new Secret(value)
  const shown = [
    String(secret),
    secret + '',
    JSON.stringify({ secret }),
    inspect({ secret }),
    inspect([secret], { depth: 9, showHidden: true }),
  ]
  for (const text of shown) assert.doesNotMatch(text, /planted/)
  assert.deepEqual(Object.keys(secret), [])
  assert.equal(secret.reveal(), value)
  assert.equal(secret.suffix, 'cdef')
})

test('no log line holds a secret, whatever way it came in', async () => {
  let written = ''
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => ((written += chunk.toString()), done()),
  })
  for (const form of ['json', 'pretty'] as const) {
    const log = await createLog({ level: 'trace', form, destination })
    log.info({ key: new Secret(value), nested: { deep: [new Secret(value)] } }, 'as a Secret')
    log.warn(`pasted into the text: ${value}`)
    log.error(
      { error: new Error(`upstream said ${value}`, { cause: new Error(`Bearer ${value}`) }) },
      'in an error',
    )
    log.info({ own: 'sb-Planted0123456789planted' }, 'one of our own')
    log.info({ url: `https://host/models?key=AIzaSyPlanted0123456789012345` }, 'in an address')
    log.info({ database: 'postgres://me:planted-password@host/db' }, 'in a connection string')
    log.info({ header: 'authorization: Bearer planted.token.value' }, 'in a header')
  }
  assert.match(written, /in an error/)
  assert.match(written, /upstream said/)
  assert.doesNotMatch(written, /planted/i)
})
