import { Server } from 'node:net'

/** Loaded before a server whose address cannot be set: a bench opens nothing to the network. */
const listen = Server.prototype.listen

Server.prototype.listen = function listenOnLoopback(this: Server, port: unknown, ...rest: unknown[]): Server {
  const done = rest.find((each) => typeof each === 'function')
  return listen.call(this, { port: Number(port), host: '127.0.0.1' }, done as (() => void) | undefined)
} as typeof listen
