import type { Mutant } from './mutant.ts'

const guards = ['src/gateway/guards.test.ts']

export const gatewayMutants: readonly Mutant[] = [
  {
    guard: 'gateway: a name that leads to a private address is refused when connecting',
    file: 'src/gateway/transport/upstream.ts',
    text: ', ...(!allowPrivate && { lookup: publicOnly })',
    replacement: '',
    tests: guards,
    name: 'private address',
  },
  {
    guard: 'gateway: a private address given as a number is refused',
    file: 'src/gateway/transport/upstream.ts',
    text: "if (!allowPrivate && isIP(url.hostname.replace(/^\\[|\\]$/g, '')) && isPrivateAddress(url.hostname))",
    replacement: 'if (url.hostname === "")',
    tests: ['src/gateway/gateway.test.ts'],
    name: 'refused where it could do harm',
  },
  {
    guard: 'gateway: a response is limited to 64 MiB',
    file: 'src/gateway/transport/receive.ts',
    text: 'if (this.#bytes > maxBytes)',
    replacement: 'if (this.#bytes < 0)',
    tests: guards,
    name: '64 MiB',
  },
  {
    guard: 'gateway: the limit of a response is 64 MiB and not less',
    file: 'src/gateway/transport/receive.ts',
    text: 'if (this.#bytes > maxBytes)',
    replacement: 'if (this.#bytes >= maxBytes)',
    tests: guards,
    name: '64 MiB',
  },
  {
    guard: 'gateway: a compressed response is limited to 64 MiB too',
    file: 'src/gateway/transport/receive.ts',
    text: 'const limit = { maxOutputLength: maxBytes }',
    replacement: 'const limit = {}',
    tests: guards,
    name: '64 MiB',
  },
  {
    guard: 'gateway: a disconnected client aborts a whole response',
    file: 'src/gateway/transport/receive.ts',
    text: 'this.#client?.onClose(() => controller.abort(clientDisconnected()))',
    replacement: '',
    tests: guards,
    name: 'disconnects',
  },
  {
    guard: 'gateway: keep-alive comments are written between events only',
    file: 'src/gateway/passthrough/frames.ts',
    text: 'if (isLone && endsEvent(piece)) return piece',
    replacement: 'if (isLone) return piece',
    tests: guards,
    name: 'keeps the stream alive',
  },
  {
    guard: 'gateway: a silent stream gets keep-alive comments',
    file: 'src/gateway/transport/keep-alive.ts',
    text: 'stream.ping()',
    replacement: '',
    tests: guards,
    name: 'keeps the stream alive',
  },
  {
    guard: 'gateway: the longest prefix wins',
    file: 'src/gateway/catalog/registry.ts',
    text: 'prefix.length > longest && ',
    replacement: '',
    tests: ['src/gateway/catalog/registry.test.ts'],
  },
]
