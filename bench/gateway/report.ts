import { markdownTable } from '../performance-page.ts'
import { judge } from './ceilings.ts'
import type { Compared } from './measure.ts'
import type { TargetName } from './targets.ts'

export interface Results {
  /** Resident memory before the first request, in megabytes. */
  idle: Map<TargetName, number>
  scenarios: Map<string, Map<TargetName, Compared>>
}

export function toMarkdown(results: Results): string {
  return [figures(results), memory(results), verdict(results)].join('\n\n')
}

function figures({ scenarios }: Results): string {
  const rows = [...scenarios].flatMap(([scenario, targets]) => {
    const bare = targets.get('bare')
    return [...targets].map(([name, measured]) => [
      scenario,
      name,
      measured.processor.toFixed(0),
      `${measured.ofBare.toFixed(2)} ×`,
      measured.perSecond.toFixed(0),
      `${measured.latencyP50.toFixed(1)} / ${measured.latencyP99.toFixed(1)}`,
      name === 'bare' ? '' : added(measured.latencyP50, bare?.latencyP50),
      `${measured.firstP50.toFixed(1)} / ${measured.firstP99.toFixed(1)}`,
      name === 'bare' ? '' : added(measured.firstP99, bare?.firstP99),
      measured.memory.toFixed(0),
    ])
  })
  const head = [
    'Scenario',
    'Target',
    'CPU µs a request',
    'of bare',
    'requests/s',
    'latency p50 / p99, ms',
    'added p50',
    'first token p50 / p99, ms',
    'added p99',
    'RSS, MB',
  ]
  return markdownTable(head, rows)
}

function memory({ idle }: Results): string {
  return `Resident memory, idle: ${[...idle].map(([name, megabytes]) => `${name} ${megabytes.toFixed(0)} MB`).join(', ')}.`
}

function verdict(results: Results): string {
  const rows = judge(results).map(({ what, ceiling, found, bare = '', isMet }) => [
    what,
    ceiling,
    found,
    bare,
    isMet ? 'met' : '**missed**',
  ])
  return markdownTable(['Promise', 'Ceiling', 'Found', 'The bare proxy itself', ''], rows)
}

const added = (own: number, bare = NaN): string =>
  `${own < bare ? '−' : '+'}${Math.abs(own - bare).toFixed(1)}`
