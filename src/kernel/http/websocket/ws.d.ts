/** What is used of `ws`, which comes without types. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage } from 'node:http'
  import type { Duplex } from 'node:stream'

  interface SocketEvents {
    message: [data: Buffer, isBinary: boolean]
    close: [code: number, reason: Buffer]
    error: [error: Error]
    open: []
    pong: []
  }

  export class WebSocket extends EventEmitter<SocketEvents> {
    constructor(address: string, options?: { headers?: Record<string, string>; autoPong?: boolean })
    /** 0 while connecting, 1 open, 2 closing, 3 closed. */
    readonly readyState: 0 | 1 | 2 | 3
    readonly bufferedAmount: number
    send(data: string | Uint8Array, done?: (error?: Error) => void): void
    ping(): void
    close(code?: number, reason?: string): void
    terminate(): void
    pause(): void
  }

  export class WebSocketServer extends EventEmitter<{
    headers: [lines: string[], request: IncomingMessage]
  }> {
    constructor(options: {
      noServer: true
      maxPayload: number
      perMessageDeflate: false
      clientTracking: false
    })
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      done: (socket: WebSocket) => void,
    ): void
  }
}
