import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { Pool } from 'undici'
import { announce, passedOn } from './proxy.ts'

/**
 * A proxy as anybody would write it with `node:http` and undici: the request is forwarded, the response piped back. No
 * authentication, no parsing, no record. The cost of Signalbox is given as a multiple of this.
 */
const pool = new Pool(process.argv[2] ?? '', { connections: 1024, pipelining: 1 })

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const upstreamResponse = await pool.request({
      path: request.url ?? '/',
      method: 'POST',
      headers: passedOn(request.headers),
      body: request,
    })
    response.writeHead(upstreamResponse.statusCode, passedOn(upstreamResponse.headers))
    await pipeline(upstreamResponse.body, response)
  } catch {
    response.destroy()
  }
}

announce(createServer((request, response) => void pass(request, response)))
