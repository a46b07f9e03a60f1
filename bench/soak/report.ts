import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sample } from './growth.ts'

interface Soaked {
  name: string
  requests: number
  samples: readonly Sample[]
  growth: number
}

const file = join(import.meta.dirname, '../../docs/performance.md')
const begin = '<!-- begin: bench:soak -->'
const end = '<!-- end: bench:soak -->'
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
  if (!write) return
  const text = readFileSync(file, 'utf8')
  const [before, after] = [text.indexOf(begin), text.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`${file} has lost its marks for the table`)
  writeFileSync(file, `${text.slice(0, before)}${begin}\n\n${table}\n\n${text.slice(after)}`)
}
