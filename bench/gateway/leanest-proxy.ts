import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Pool, type Dispatcher } from 'undici'
import { announce, passedOn } from './proxy.ts'

/**
 * The least that a proxy can do: bytes in, bytes out, a slow reader pauses the sender. Written against undici's
 * innermost interface, without a stream or a promise; it shows where the floor is.
 */
const pool = new Pool(process.argv[2] ?? '', { connections: 1024, pipelining: 1 })

class Pipe implements Dispatcher.DispatchHandler {
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#response.once('close', () => {
      if (!this.#response.writableFinished) controller.abort(new Error('the client disconnected'))
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
announce(server)
