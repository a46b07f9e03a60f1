import type { Mutant } from './mutant.ts'

const limits = ['src/gateway/sockets/limits.test.ts']
const sockets = ['src/gateway/sockets/sockets.test.ts']
const endings = ['src/gateway/sockets/endings.test.ts']

export const socketMutants: readonly Mutant[] = [
  {
    guard: 'sockets: a key has a limited number of connections',
    file: 'src/gateway/sockets/limits.ts',
    text: 'maxPerOwner: config.MAX_WEBSOCKETS_PER_KEY,',
    replacement: 'maxPerOwner: Infinity,',
    tests: limits,
  },
  {
    guard: 'sockets: a process has a limited number of connections',
    file: 'src/gateway/sockets/limits.ts',
    text: 'max: config.MAX_WEBSOCKETS,',
    replacement: 'max: Infinity,',
    tests: limits,
  },
  {
    guard: 'sockets: messages and conversations share a limited memory',
    file: 'src/gateway/sockets/limits.ts',
    text: 'if (to > from && this.#used - from + to > this.#limit) return false',
    replacement: '',
    tests: limits,
  },
  {
    guard: 'sockets: a message that is arriving counts before it is complete',
    file: 'src/gateway/sockets/arriving-bytes.ts',
    text: '      this.#arriving += piece.length\n',
    replacement: '',
    tests: limits,
  },
  {
    guard: 'sockets: a limited number of messages waits',
    file: 'src/gateway/sockets/connection.ts',
    text: 'if (this.#waiting.length > maxWaiting)',
    replacement: 'if (this.#waiting.length < 0)',
    tests: limits,
  },
  {
    guard: 'sockets: a key that is no longer valid ends its connection',
    file: 'src/gateway/sockets/connection.ts',
    text: 'if (code === faults.invalidApiKey.code ||',
    replacement: 'if (code === null ||',
    tests: limits,
  },
  {
    guard: 'sockets: a key that is no longer valid ends a connection that is idle',
    file: 'src/gateway/sockets/connection.ts',
    text: '    void this.#recheck()\n',
    replacement: '',
    tests: endings,
  },
  {
    guard: 'sockets: a response that could not be continued is forgotten',
    file: 'src/gateway/sockets/connection.ts',
    text: 'if (previousId !== null) this.#memory.forget(previousId)',
    replacement: '',
    tests: sockets,
  },
  {
    guard: 'sockets: a client that disconnects cancels the call',
    file: 'src/gateway/sockets/connection.ts',
    text: '    this.#gone.abort()\n',
    replacement: '',
    tests: sockets,
  },
  {
    guard: 'sockets: the header for an upgrade has no effect on other paths',
    file: 'src/kernel/http/websocket/upgrades.ts',
    text: "return this.#paths.has(url.replace(/\\/?(\\?.*)?$/s, ''))",
    replacement: 'return url.length > 0',
    tests: sockets,
  },
  {
    guard: 'sockets: a client that is gone is noticed',
    file: 'src/gateway/sockets/connection.ts',
    text: 'if (this.#missedPings++ >= maxMissedPings) return this.#socket.terminate()',
    replacement: '',
    tests: endings,
  },
  {
    guard: 'sockets: a connection has a longest time',
    file: 'src/gateway/sockets/connection.ts',
    text: 'if (now - this.#openedAt >= WEBSOCKET_MAX_AGE_MS)',
    replacement: 'if (now < 0)',
    tests: endings,
  },
  {
    guard: 'sockets: the first event names what was left out',
    file: 'src/gateway/sockets/connection.ts',
    text: "event === 'response.created' && { headers }",
    replacement: '{}',
    tests: sockets,
  },
  {
    guard: 'sockets: a server that stops says goodbye',
    file: 'src/gateway/sockets/route.ts',
    text: '    for (const connection of open) connection.end(closing.stopping())\n',
    replacement: '',
    tests: endings,
  },
]
