import type { Results } from './results.ts'
import type { TargetName } from './targets.ts'

export interface Judged {
  what: string
  ceiling: string
  found: string
  isMet: boolean
}

/** Short requests, and long streams, whose many small writes cost the more the slower the system calls are. */
const passthrough = [
  ['plain', 1.5],
  ['stream 50', 1.5],
  ['stream 1000', 1.75],
  ['stream 100, paced', 1.75],
] as const
const translated = ['stream 1000, translated']
const alone = 'stream 50, alone'

/** The numbers that Signalbox promises, against what this run found. */
export function judge(results: Results): Judged[] {
  const times = (scenario: string, limit: number, target: 'signalbox' | 'watched' = 'signalbox'): Judged => {
    const ratio = multiple(results, scenario, target)
    const condition = target === 'watched' ? ', console open' : ''
    return {
      what: `processor time per request, ${scenario}${condition}, against the bare proxy`,
      ceiling: `≤ ${limit} ×`,
      found: `${ratio.toFixed(2)} ×`,
      isMet: ratio <= limit,
    }
  }
  return [
    ...passthrough.map(([scenario, limit]) => times(scenario, limit)),
    ...(results.idle.has('watched')
      ? passthrough.map(([scenario, limit]) => times(scenario, limit, 'watched'))
      : []),
    ...translated.map((scenario) => times(scenario, 4)),
    ...againstPortkey(results),
    ...withLimits(results),
    firstToken(results),
    idleMemory(results),
  ]
}

function againstPortkey(results: Results): Judged[] {
  if (!results.idle.has('portkey')) return []
  const ratio = multiple(results, 'plain', 'signalbox') / multiple(results, 'plain', 'portkey')
  return [
    {
      what: "processor time per request, plain, against Portkey's gateway",
      ceiling: '≤ 1/4',
      found: `1/${(1 / ratio).toFixed(1)}`,
      isMet: ratio <= 1 / 4,
    },
  ]
}

function withLimits(results: Results): Judged[] {
  if (!results.scenarios.get('plain')?.has('limited')) return []
  const added = multiple(results, 'plain', 'limited') / multiple(results, 'plain', 'signalbox') - 1
  return [
    {
      what: 'processor time per request, plain, with three limits and a route, against none',
      ceiling: '≤ +10 %',
      found: `${added < 0 ? '−' : '+'}${Math.abs(added * 100).toFixed(0)} %`,
      isMet: added <= 0.1,
    },
  ]
}

function firstToken({ scenarios }: Results): Judged {
  const measured = scenarios.get(alone)
  const p99 = (name: TargetName): number => measured?.get(name)?.firstToken.p99 ?? NaN
  const added = p99('signalbox') - p99('bare')
  return {
    what: 'added time to the first token, p99, one request at a time',
    ceiling: '≤ 1 ms',
    found: `${added.toFixed(2)} ms`,
    isMet: added <= 1,
  }
}

function idleMemory({ idle }: Results): Judged {
  const found = idle.get('signalbox') ?? NaN
  return {
    what: 'resident memory, idle',
    ceiling: '≤ 160 MB',
    found: `${found.toFixed(0)} MB`,
    isMet: found <= 160,
  }
}

function multiple({ scenarios }: Results, scenario: string, target: TargetName): number {
  return scenarios.get(scenario)?.get(target)?.ofBare ?? NaN
}
