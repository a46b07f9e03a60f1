import type { Config } from '#kernel/config'
import { collectOpen, type Metrics } from '#kernel/metrics'
import { principalOf, whenClosed, type Http } from '#kernel/http'
import { responses } from '../apis/responses/index.ts'
import type { Registry } from '../catalog/registry.ts'
import type { Meter } from '../request/meter.ts'
import type { Names } from '../routing/names/index.ts'
import { ResponsesConnection } from './connection.ts'
import { closing } from './endings.ts'
import { SocketLimits } from './limits.ts'

export interface SocketRouteDeps {
  config: Config
  registry: Registry
  names: Names
  meter: Meter
  metrics: Metrics
}

const maxBeatMs = 30_000

/** The Responses API over a WebSocket, at the same path as over HTTP. */
export function socketRoute(app: Http, deps: SocketRouteDeps): void {
  const { config } = deps
  const limits = new SocketLimits(config)
  const help = 'WebSocket connections that are open'
  collectOpen(deps.metrics.registry, 'websockets', help, () => limits.places.total)
  const open = new Set<ResponsesConnection>()
  const beatMs = Math.min(maxBeatMs, config.WEBSOCKET_IDLE_MS / 4, config.WEBSOCKET_MAX_AGE_MS / 4)
  let beats: NodeJS.Timeout | undefined
  let isStopping = false

  const add = (connection: ResponsesConnection): void => {
    open.add(connection)
    beats ??= setInterval(() => open.forEach((each) => each.beat()), beatMs).unref()
    if (isStopping) connection.end(closing.stopping())
  }
  const remove = (connection: ResponsesConnection): void => {
    open.delete(connection)
    if (open.size > 0) return
    clearInterval(beats)
    beats = undefined
  }

  app.webSockets.addPath(responses.path)
  app.addHook('preClose', (done) => {
    isStopping = true
    for (const connection of open) connection.end(closing.stopping())
    done()
  })
  app.get(
    responses.path,
    // The API document describes it with the same path for POST.
    { config: { needs: 'gateway', keyOnly: true }, schema: { hide: true } },
    async (request, reply) => {
      app.webSockets.check(request)
      const giveBack = limits.places.take(principalOf(request).key?.id ?? '')
      whenClosed(request.raw.socket, giveBack)
      await app.webSockets.accept(request, reply, config, (socket) => {
        const connection = new ResponsesConnection({ ...deps, app, limits }, socket, request)
        socket.once('close', () => remove(connection))
        add(connection)
      })
      return reply
    },
  )
}
