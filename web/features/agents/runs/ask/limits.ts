import type { RunLimits } from '#agents/contract'

type LimitName = keyof RunLimits

/** What is typed; empty for the limit of the server. */
export type LimitDraft = Record<LimitName, string>

export const noLimits: LimitDraft = { max_steps: '', max_seconds: '', max_tokens: '', max_cost: '' }

/** The ranges of the server; the contract itself would bring its schemas into the page. */
export const limitRows: readonly { name: LimitName; label: string; unit: string; max: number }[] = [
  { name: 'max_steps', label: 'Steps', unit: 'calls of the model', max: 1_000 },
  { name: 'max_seconds', label: 'Seconds', unit: 'of running', max: 86_400 },
  { name: 'max_tokens', label: 'Tokens', unit: 'in and out', max: 1_000_000_000 },
  { name: 'max_cost', label: 'Cost', unit: 'US dollars', max: 1_000_000 },
]

interface ReadLimits {
  limits: Partial<RunLimits>
  faults: Partial<Record<LimitName, string>>
}

export function limitsOf(draft: LimitDraft): ReadLimits {
  const read: ReadLimits = { limits: {}, faults: {} }
  for (const { name, max } of limitRows) {
    const text = draft[name].trim()
    if (text === '') continue
    const value = Number(text)
    const isWhole = name === 'max_cost' || Number.isInteger(value)
    if (value > 0 && value <= max && isWhole) read.limits[name] = value
    else read.faults[name] = faultOf(name, max)
  }
  return read
}

const faultOf = (name: LimitName, max: number): string =>
  name === 'max_cost'
    ? `must be a number above 0, up to ${max.toLocaleString('en')}`
    : `must be a whole number from 1 to ${max.toLocaleString('en')}`
