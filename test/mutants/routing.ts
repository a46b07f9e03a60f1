import type { Mutant } from './mutant.ts'

const failover = ['test/routing/failover.test.ts']
const keys = ['test/routing/keys.test.ts']
const portability = ['test/routing/portability.test.ts']
const otherGateways = ['test/routing/other-gateways.test.ts']

export const routingMutants: readonly Mutant[] = [
  {
    guard: 'routing: no other call for a client that has left',
    file: 'src/gateway/request/pauses.ts',
    text: 'return !client.isClosed && !this.#isStopped',
    replacement: 'return true',
    tests: failover,
    name: 'a client that leaves during a pause',
  },
  {
    guard: 'routing: the request itself is not tried elsewhere when it is at fault',
    file: 'src/gateway/request/make-calls.ts',
    text: "if (failure.hope === 'nobody') return undefined",
    replacement: "if (failure.hope === 'nobody') turns.close(turn)",
    tests: failover,
    name: 'what the request itself has wrong',
  },
  {
    guard: 'routing: the calls of a request are bounded',
    file: 'src/gateway/routing/turns.ts',
    text: 'this.#left--',
    replacement: 'this.#left -= 0.5',
    tests: failover,
    name: 'the route bounds the calls',
  },
  {
    guard: 'routing: a key that was refused rests',
    file: 'src/gateway/routing/health.ts',
    text: "if (failure?.hope !== 'key') return",
    replacement: 'if (failure) return',
    tests: keys,
    name: 'a key that is refused',
  },
  {
    guard: 'routing: what belongs to a provider is not carried to another',
    file: 'src/gateway/request/make-calls.ts',
    text: 'turns.bind(boundTo(story.asked), turn)',
    replacement: "turns.bind('anywhere', turn)",
    tests: portability,
    name: 'is not carried to another provider',
  },
  {
    guard: 'routing: a stored response is continued with the key that made it',
    file: 'src/gateway/request/find-turns.ts',
    text: "boundTo(asked) === 'key'",
    replacement: "boundTo(asked) === 'provider'",
    tests: portability,
    name: 'a response that continues',
  },
  {
    guard: 'routing: an exception of our own is no success of a key',
    file: 'src/gateway/routing/health.ts',
    text: 'if (failure === null) {',
    replacement: 'if (!failure) {',
    tests: ['src/gateway/routing/health.test.ts'],
    name: 'an exception of our own',
  },
  {
    guard: 'routing: a conversation stays with its target',
    file: 'src/gateway/routing/names/fitting-targets.ts',
    text: 'place: placeOf(conversation,',
    replacement: 'place: placeOf(`${conversation}${Math.random()}`,',
    tests: otherGateways,
    name: 'with weighted',
  },
  {
    guard: 'routing: a fallback comes after what was named before it',
    file: 'src/gateway/routing/stops.ts',
    text: 'one.target.rank - other.target.rank ||',
    replacement: '',
    tests: otherGateways,
    name: 'with least_busy',
  },
  {
    guard: 'gateway: a request without a model needs the right to its default',
    file: 'src/gateway/request/allowed-models.ts',
    text: 'names.length === 0 ? [defaultRoute] : names',
    replacement: 'names',
    tests: ['src/gateway/routing/names/routes.test.ts'],
    name: 'a request without a model',
  },
]
