import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { startAudited } from '../server.ts'
import { fuzz } from './fuzz.ts'

const server = await startAudited()

test('no hostile value in any parameter of any route is answered with anything but a success or our error', async () => {
  const { sent, places, findings } = await fuzz(server, { count: 1_000 }, 1)
  assert.ok(sent === 1_000 && places > 700, `${sent} requests to ${places} places`)
  assert.deepEqual(findings, [])
})

test('bytes that no header may hold get our error, and the connection is closed', async () => {
  const { hostname, port } = new URL(server.url)
  for (const value of ['a\0b', 'a\x01b', 'a\rb', '\x7f', 'a\nb'])
    for (const name of ['x-group-id', 'authorization', 'cookie', 'host', 'content-length']) {
      const socket = connect(Number(port), hostname)
      let text = ''
      socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
      const headers = ['host: localhost', `${name}: ${value}`, 'connection: close']
      socket.write(`GET /api/v1/me HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
      await once(socket, 'close')
      assert.match(text, /^HTTP\/1\.1 4\d\d /, `${name}: ${JSON.stringify(value)}`)
      assert.match(text, /"code":"\w+"/)
    }
})
