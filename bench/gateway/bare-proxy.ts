import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool, type Dispatcher } from 'undici'

/**
 * The least that a proxy can do: bytes in, bytes out, a slow reader pauses the sender. No authentication, no
 * parsing, no record. What Signalbox costs is told as a multiple of this.
 */
const pool = new Pool(process.argv[2] ?? '', { connections: 1024, pipelining: 1 })

class Pipe implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) controller.abort(new Error('the client went away'))
    })
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingMessage['headers'],
  ): void {
    this.#response.writeHead(status, passedOn(headers))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#response.write(chunk)) return
    controller.pause()
    this.#response.once('drain', () => controller.resume())
  }

  onResponseEnd(): void {
    this.#response.end()
  }

  onResponseError(): void {
    this.#response.destroy()
  }
}

/** Headers that speak of one connection stay on it. */
function passedOn(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const {
    connection: _connection,
    'keep-alive': _keepAlive,
    'transfer-encoding': _encoding,
    host: _host,
    ...rest
  } = headers
  return rest
}

const server = createServer((request, response) => {
  pool.dispatch(
    {
      path: request.url ?? '/',
      method: 'POST',
      headers: passedOn(request.headers),
      body: request,
    },
    new Pipe(response),
  )
})
server.keepAliveTimeout = 65_000
server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
