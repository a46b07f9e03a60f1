import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Config } from '#kernel/config'
import { messageOf, StartFault } from '#kernel/errors'
import type { Http } from './types.ts'

/** Listens; if the address cannot be used, the error says what to do in one line. */
export async function listen(app: Http, config: Config): Promise<string> {
  try {
    // A burst of new connections should wait in the queue, not be refused.
    await app.listen({ host: config.HOST, port: config.PORT, backlog: 4_096 })
  } catch (error) {
    throw new StartFault(explainListenFailure(error, config), { cause: error })
  }
  const { port } = app.server.address() as AddressInfo
  const host = config.HOST.includes(':') ? `[${config.HOST}]` : config.HOST
  return `http://${host}:${port}`
}

/** Fails as `listen` would, before anything else is done. */
export async function checkAddress(config: Config): Promise<void> {
  const probe = createServer()
  try {
    probe.listen(config.PORT, config.HOST)
    await once(probe, 'listening')
  } catch (error) {
    throw new StartFault(explainListenFailure(error, config), { cause: error })
  } finally {
    probe.close()
  }
}

function explainListenFailure(error: unknown, { HOST, PORT }: Config): string {
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE')
    return `PORT: ${PORT} on ${HOST} is in use by another program. Stop it, or set PORT to another number.`
  if (code === 'EACCES') return `PORT: ${PORT} cannot be used by this user. Set PORT to 1024 or above.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST: ${HOST} is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all.`
  return `The server cannot listen on ${HOST}:${PORT} (${messageOf(error)}).`
}
