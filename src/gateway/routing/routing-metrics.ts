import { Counter, Gauge, type Registry } from 'prom-client'

export interface RoutingMetrics {
  /** A call of a request that may make several, and how it ended. */
  called(provider: string, result: string): void
  rested(reason: string): void
  watch(counts: { resting(): number; open(): number }): void
}

/** Only requests with a route or several keys are counted: others make one call each. */
export function createRoutingMetrics(registry: Registry): RoutingMetrics {
  const shared = { registers: [registry] }
  const calls = new Counter({
    ...shared,
    name: 'signalbox_gateway_attempts_total',
    help: 'Calls of requests with a route or pooled keys, by provider and result',
    labelNames: ['provider', 'result'],
  })
  const rests = new Counter({
    ...shared,
    name: 'signalbox_gateway_key_rests_total',
    help: 'Times that a provider key was set aside, by reason',
    labelNames: ['reason'],
  })
  return {
    called: (provider, result) => calls.inc({ provider, result }),
    rested: (reason) => rests.inc({ reason }),
    watch({ resting, open }) {
      new Gauge({
        ...shared,
        name: 'signalbox_gateway_keys_resting',
        help: 'Provider keys that are set aside at the moment',
        // Every worker knows all of them.
        aggregator: 'max',
        collect() {
          this.set(resting())
        },
      })
      new Gauge({
        ...shared,
        name: 'signalbox_gateway_circuits_open',
        help: 'Pairs of a provider key and a model that are avoided because calls failed',
        aggregator: 'max',
        collect() {
          this.set(open())
        },
      })
    },
  }
}
