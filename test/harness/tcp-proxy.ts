import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'
import { after } from 'node:test'
import { testServer } from './database.ts'

export interface TcpProxy {
  port: number
  /**
   * Connections that are open now stay open and carry nothing any more: they are half open. New ones work. The server
   * asks in vain whether its client is alive, and ends its side after 25 s.
   */
  freeze(): void
  /** What passes from now on is so much later. */
  delay(ms: number): void
  /** Closes every connection, and each new one, until it is mended. */
  cut(): void
  mend(): void
  /** How many bytes have come from the server. */
  received(): number
  close(): Promise<void>
}

/** Of the connections of the product: see `prepareSession` in the kernel. The kernel of this machine answers for us. */
const keepAliveMs = 25_000

/** Forwards every connection, until the test lets it drop what passes without closing anything. */
export async function startTcpProxy(to: NetConnectOpts): Promise<TcpProxy> {
  const open = new Set<Socket>()
  const servers = new WeakSet<Socket>()
  let delayMs = 0
  let isCut = false
  let received = 0
  const pass = (from: Socket, into: Socket): void => {
    const later = (step: () => void): void => void (delayMs === 0 ? step() : setTimeout(step, delayMs))
    open.add(from)
    from.on('error', () => into.destroy())
    from.on('close', () => open.delete(from))
    from.on('data', (bytes) => later(() => into.write(bytes)))
    from.on('end', () => later(() => into.end()))
  }
  const server = createServer({ allowHalfOpen: true }, (near) => {
    near.on('error', () => undefined)
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect({ ...to, allowHalfOpen: true })
    servers.add(far)
    far.on('data', (bytes) => (received += bytes.length))
    pass(near, far)
    pass(far, near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      for (const socket of open) {
        socket.removeAllListeners('data')
        socket.removeAllListeners('end')
        // Read and forgotten, so that the sender sees no full buffer.
        socket.resume()
        if (servers.has(socket)) setTimeout(() => socket.destroy(), keepAliveMs).unref()
      }
    },
    delay(ms) {
      delayMs = ms
    },
    cut() {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    mend() {
      isCut = false
    },
    received: () => received,
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
