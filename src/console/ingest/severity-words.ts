import { invalidField } from '#kernel/errors'
import { severities, type Severity } from '../contract.ts'

/** What other systems call the six severities. */
const words: Readonly<Record<string, Severity>> = {
  verbose: 'trace',
  information: 'info',
  informational: 'info',
  notice: 'info',
  warn: 'warning',
  err: 'error',
  fatal: 'critical',
  crit: 'critical',
  alert: 'critical',
  emergency: 'critical',
  emerg: 'critical',
  panic: 'critical',
}

/** Undefined where none is given. */
export function severityOf(value: unknown, path: string): number | undefined {
  if (value === undefined || value === null) return undefined
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  const level = severities.findIndex((each) => each === (words[word] ?? word))
  if (level < 0) throw invalidField(path, `must be one of ${severities.join(', ')}`)
  return level
}
