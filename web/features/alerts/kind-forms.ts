import type { Alert, AlertKind } from '#limits/contract'
import { plainText } from './alert-words.ts'

/** A field of a form, and how its text becomes a value of the config. */
export interface FormField {
  name: string
  label: string
  type: 'number' | 'text' | 'list' | 'numbers' | 'choice' | 'subject' | 'limit' | 'money'
  hint?: string
  /** The text at first. */
  start?: string
  choices?: readonly { id: string; label: string }[]
  isOptional?: boolean
  /** A subject that may be a tag. */
  takesTags?: boolean
}

const subject: FormField = { name: 'subject', label: 'Whose spend', type: 'subject', start: 'group' }
const provider: FormField = {
  name: 'provider',
  label: 'Provider',
  type: 'text',
  hint: 'Empty: every provider is judged separately.',
  isOptional: true,
}
const number = (name: string, label: string, start: string, hint?: string): FormField => ({
  ...{ name, label, start, type: 'number' as const },
  ...(hint !== undefined && { hint }),
})
const names = (name: string, label: string, hint: string): FormField => ({
  ...{ name, label, hint, type: 'list' as const, isOptional: true },
})
const minutes = number('minutes', 'Wait, in minutes', '0', '0: at once.')

export const forms: Record<AlertKind, readonly FormField[]> = {
  spend: [
    { ...subject, takesTags: true },
    {
      name: 'window',
      label: 'In each',
      type: 'choice',
      start: 'day',
      choices: ['day', 'week', 'month'].map((id) => ({ id, label: id })),
    },
    { name: 'amount', label: 'Dollars', type: 'money', start: '50' },
  ],
  budget: [
    { name: 'limit_id', label: 'Limit', type: 'limit' },
    { name: 'at', label: 'Percentages', type: 'numbers', start: '50, 80, 100' },
  ],
  anomaly: [
    subject,
    {
      name: 'sensitivity',
      label: 'Sensitivity',
      type: 'choice',
      start: 'medium',
      hint: 'Against the same hour of four weeks; it starts after 7 days of requests.',
      choices: [
        { id: 'low', label: 'low: only what is far off' },
        { id: 'medium', label: 'medium' },
        { id: 'high', label: 'high: also smaller changes' },
      ],
    },
    { name: 'min_amount', label: 'Minimum dollars above usual', type: 'money', start: '5' },
  ],
  provider_errors: [
    provider,
    number('share', 'Failed requests, in percent', '20'),
    number('min_requests', 'Minimum requests', '10'),
    number('minutes', 'Window in minutes', '5'),
  ],
  provider_latency: [
    provider,
    { name: 'model', label: 'Model', type: 'text', hint: 'Empty: all models.', isOptional: true },
    {
      name: 'metric',
      label: 'What',
      type: 'choice',
      start: 'ttft',
      choices: [
        { id: 'ttft', label: 'time to the first token' },
        { id: 'duration', label: 'duration' },
      ],
    },
    number('p95_ms', 'Milliseconds at p95', '5000', '5 % of requests take longer.'),
    number('min_requests', 'Minimum requests', '10'),
    number('minutes', 'Window in minutes', '10'),
  ],
  provider_key: [number('failures', 'Refusals in a row', '2')],
  unpriced_model: [],
  service_down: [names('services', 'Services', 'Names, separated by commas. Empty: all.')],
  approval_waiting: [minutes],
  run_waiting: [minutes],
  run_failed: [names('agents', 'Agents', 'IDs, separated by commas. Empty: all.')],
  deployment_failed: [
    names('services', 'Services', 'Names, separated by commas. Empty: all.'),
    names('environments', 'Environments', 'Such as production. Empty: all.'),
  ],
  backup_failed: [
    {
      name: 'max_age_hours',
      label: 'Maximum age in hours',
      type: 'number',
      start: '48',
      hint: 'Empty: only failed backups.',
      isOptional: true,
    },
  ],
  disk: [number('min_free_percent', 'Free space below, in percent', '10')],
}

export type FormTexts = Readonly<Record<string, string>>

export const startTexts = (kind: AlertKind): FormTexts =>
  Object.fromEntries(forms[kind].map(({ name, start = '' }) => [name, start]))

/** The config of an alert as the form shows it. */
export function textsOf({ kind, config }: Pick<Alert, 'kind' | 'config'>): FormTexts {
  return Object.fromEntries(
    forms[kind].map(({ name, type }) => {
      const value = config[name]
      if (type === 'subject') {
        const { type: of, id } = value as { type: string; id?: string }
        return [name, id === undefined ? of : `${of}:${id}`]
      }
      return [name, Array.isArray(value) ? value.join(', ') : plainText(value)]
    }),
  )
}

export function configOf(kind: AlertKind, texts: FormTexts): Record<string, unknown> {
  return Object.fromEntries(
    forms[kind].map((field) => [field.name, valueOf(field, (texts[field.name] ?? '').trim())]),
  )
}

function valueOf({ type, isOptional }: FormField, text: string): unknown {
  if (type === 'list') return itemsOf(text)
  if (type === 'numbers') return itemsOf(text).map(Number)
  if (type === 'subject') {
    const [of = '', ...id] = text.split(':')
    return of === 'group' ? { type: of } : { type: of, id: id.join(':') }
  }
  if (text === '' && isOptional) return null
  return type === 'number' ? Number(text) : text
}

const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
