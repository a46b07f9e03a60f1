import { writeToPage } from '../performance-page.ts'
import type { Sample } from './growth.ts'

interface Soaked {
  name: string
  requests: number
  samples: readonly Sample[]
  growth: number
}

const ceiling = 1

export function writeReport(
  soaked: readonly Soaked[],
  { minutes, write }: { minutes: number; write: boolean },
): void {
  const rows = soaked.map(({ name, requests, samples, growth }) => {
    const sizes = samples.map(({ megabytes }) => megabytes)
    const verdict = name !== 'signalbox' ? '' : growth < ceiling ? 'met' : '**missed**'
    const spread = `${Math.min(...sizes).toFixed(0)} to ${Math.max(...sizes).toFixed(0)} MB`
    return `| ${name} | ${requests.toLocaleString('en')} | ${spread} | ${growth.toFixed(2)} MB a minute | ${verdict} |`
  })
  const table = [
    `| ${minutes} minutes | Requests | Resident memory after the second minute | Growth (promise: < ${ceiling} MB a minute) | |`,
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
  console.log(table)
  if (write) writeToPage('soak', table)
}
