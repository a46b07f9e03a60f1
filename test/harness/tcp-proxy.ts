import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'
import { after } from 'node:test'
import { testServer } from './database.ts'

export interface TcpProxy {
  port: number
  /** Connections that are open now stay open and carry nothing any more: they are half open. New ones work. */
  freeze(): void
  close(): Promise<void>
}

/** Forwards every connection, until the test lets it drop what passes without closing anything. */
export async function startTcpProxy(to: NetConnectOpts): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ ...to, allowHalfOpen: true })
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => into.destroy())
      from.on('close', () => open.delete(from))
      from.pipe(into)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      for (const socket of open) {
        socket.unpipe()
        socket.removeAllListeners('end')
        // Read and forgotten, so that the sender sees no full buffer.
        socket.resume()
      }
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

/** The server of the tests behind a proxy. */
export async function startDatabaseProxy(): Promise<TcpProxy & { address: ReturnType<typeof testServer> }> {
  const server = testServer()
  const isSocket = server.host.startsWith('/')
  const proxy = await startTcpProxy(
    isSocket ? { path: `${server.host}/.s.PGSQL.${server.port}` } : { host: server.host, port: server.port },
  )
  after(() => proxy.close())
  return { ...proxy, address: { ...server, host: '127.0.0.1', port: proxy.port } }
}
