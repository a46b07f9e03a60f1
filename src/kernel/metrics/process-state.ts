import { Counter, Gauge, type Registry } from 'prom-client'

/** What stays open for a long time: `signalbox_open_streams`, `signalbox_open_websockets`. */
export function collectOpen(registry: Registry, what: string, help: string, count: () => number): void {
  new Gauge({
    name: `signalbox_open_${what}`,
    help,
    registers: [registry],
    collect() {
      this.set(count())
    },
  })
}

export function collectReplicaMetrics(registry: Registry, replica: { count(): number }): void {
  new Gauge({
    name: 'signalbox_replicas',
    help: 'Processes that run on the database, as this one saw it last',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(replica.count())
    },
  })
}

interface JobSource {
  ended(): readonly { readonly name: string; readonly done: number; readonly failed: number }[]
}

export function collectJobMetrics(registry: Registry, jobs: JobSource): void {
  new Counter({
    name: 'signalbox_jobs_total',
    help: 'Background jobs that ended, by job and outcome',
    labelNames: ['job', 'outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const { name: job, done, failed } of jobs.ended()) {
        this.inc({ job, outcome: 'done' }, done)
        this.inc({ job, outcome: 'failed' }, failed)
      }
    },
  })
}
