import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** The address of a server in front of `/mcp` that adds the key, for clients that cannot send one. */
export async function addressWithKey({ url, key }: { url: string; key: string }): Promise<string> {
  const { hostname, port } = new URL(url)
  const front = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const { method, url: path } = incoming
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    outgoing.on('close', () => sent.destroy())
    incoming.pipe(sent)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  after(() => front.close())
  return `http://localhost:${(front.address() as AddressInfo).port}/mcp`
}
