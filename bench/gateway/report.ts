import { markdownTable } from '../performance-page.ts'
import { judge } from './ceilings.ts'
import type { Results } from './results.ts'
import type { TargetName } from './targets.ts'

export function toMarkdown(results: Results): string {
  return [figures(results), memory(results), verdict(results), besidePortkey(results)].join('\n\n')
}

function figures({ scenarios }: Results): string {
  const rows = [...scenarios].flatMap(([scenario, targets]) => {
    const bare = targets.get('bare')
    return [...targets].map(([name, measured]) => [
      scenario,
      name,
      measured.processor.toFixed(0),
      `${measured.ofBare.toFixed(2)} ×`,
      `${measured.ofLeanest.toFixed(2)} ×`,
      measured.perSecond.toFixed(0),
      `${measured.latency.p50.toFixed(1)} / ${measured.latency.p99.toFixed(1)}`,
      name === 'bare' ? '' : added(measured.latency.p50, bare?.latency.p50),
      `${measured.firstToken.p50.toFixed(1)} / ${measured.firstToken.p99.toFixed(1)}`,
      name === 'bare' ? '' : added(measured.firstToken.p99, bare?.firstToken.p99),
      measured.memory.toFixed(0),
    ])
  })
  const head = [
    'Scenario',
    'Target',
    'CPU µs per request',
    'of bare',
    'of leanest',
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
  const known = [...idle].filter(([, megabytes]) => !Number.isNaN(megabytes))
  return `Resident memory, idle: ${known.map(([name, megabytes]) => `${name} ${megabytes.toFixed(0)} MB`).join(', ')}.`
}

function verdict(results: Results): string {
  const rows = judge(results).map(({ what, ceiling, found, isMet }) => [
    what,
    ceiling,
    found,
    isMet ? 'met' : '**missed**',
  ])
  return markdownTable(['Promise', 'Ceiling', 'Found', ''], rows)
}

/** Nothing is promised here but the first line; long streams are mostly bytes, which cost all of them the same. */
function besidePortkey({ idle, scenarios }: Results): string {
  if (!idle.has('portkey')) return ''
  const rows = [...scenarios].map(([scenario, targets]) => {
    const portkey = targets.get('portkey')?.ofBare ?? NaN
    const part = (name: TargetName): string =>
      `1/${(portkey / (targets.get(name)?.ofBare ?? NaN)).toFixed(1)}`
    return [scenario, part('signalbox'), part('bare'), part('leanest')]
  })
  return markdownTable(["Processor time, of Portkey's gateway", 'signalbox', 'bare', 'leanest'], rows)
}

const added = (own: number, bare = NaN): string =>
  `${own < bare ? '−' : '+'}${Math.abs(own - bare).toFixed(1)}`
