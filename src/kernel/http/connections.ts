import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const connections = new WeakMap<Server, Set<Socket>>()

export function watchConnections(server: Server): void {
  const open = new Set<Socket>()
  connections.set(server, open)
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
}

/** Every open connection: Node lists none itself. */
export function connectionsOf(server: Server): Iterable<Socket> {
  return connections.get(server) ?? []
}

/** Browsers open connections in advance. Node counts one that has sent nothing neither as idle nor as active. */
export function closeUnusedConnections(server: Server): void {
  for (const socket of connectionsOf(server)) if (socket.bytesRead === 0) socket.destroy()
}
