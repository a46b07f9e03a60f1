import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { get, type IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ownerTokenOf } from './harness/owner.ts'
import { startProduct } from './harness/product.ts'

const server = await startProduct()

interface Received {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** As it travels: `fetch` would unpack it. */
function receive(path: string, headers: Record<string, string>): Promise<Received> {
  return new Promise((resolve, reject) => {
    get(server.url + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: Buffer.concat(chunks),
        }),
      )
    }).on('error', reject)
  })
}

test('the first page of the dashboard takes at most 200 kB on the wire', async (context) => {
  const browser = { 'accept-encoding': 'gzip, deflate, br, zstd' }
  const page = await receive('/', browser)
  // Small files are not packed.
  const isPagePacked = page.headers['content-encoding'] === 'br'
  const html = (isPagePacked ? brotliDecompressSync(page.bytes) : page.bytes).toString()
  assert.equal(isPagePacked, html.length >= 1_024)
  const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => String(path))
  assert.ok(assets.length >= 2, 'a script and a style sheet')
  let total = page.bytes.length
  for (const path of assets) {
    const asset = await receive(path, browser)
    const file = readFileSync(`web/dist${path}`)
    const isPacked = file.length >= 1_024
    assert.deepEqual(
      [asset.status, asset.headers['content-encoding']],
      [200, isPacked ? 'br' : undefined],
      path,
    )
    assert.deepEqual(isPacked ? brotliDecompressSync(asset.bytes) : asset.bytes, file)
    total += asset.bytes.length
  }
  context.diagnostic(`${(total / 1000).toFixed(1)} kB`)
  assert.ok(total <= 200_000, `${total} bytes`)
})

test('a file travels in the way that the client takes it, and as it is for others', async () => {
  const path = '/api-reference.js'
  assert.equal((await receive(path, { 'accept-encoding': 'gzip' })).headers['content-encoding'], 'gzip')
  const plain = await receive(path, {})
  assert.equal(plain.headers['content-encoding'], undefined)
  assert.deepEqual(plain.bytes, readFileSync(`web/dist${path}`))
  assert.equal((await receive(`${path}.br`, {})).status, 404)
})

test('long lists for the dashboard are compressed where the client takes it', async () => {
  const owner = { 'x-owner-token': ownerTokenOf(server.url) ?? '' }
  const plain = await receive('/openapi.json', owner)
  assert.equal(plain.headers['content-encoding'], undefined)
  const packed = await receive('/openapi.json', { ...owner, 'accept-encoding': 'gzip' })
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.ok(packed.bytes.length < plain.bytes.length / 4)
  assert.deepEqual(JSON.parse(gunzipSync(packed.bytes).toString()), JSON.parse(plain.bytes.toString()))
  const refused = await receive('/openapi.json', { ...owner, 'accept-encoding': 'gzip;q=0, identity' })
  assert.equal(refused.headers['content-encoding'], undefined)
})
