export const efforts = ['none', 'minimal', 'low', 'medium', 'high'] as const
export type Effort = (typeof efforts)[number]

/** The settings beside the conversation. Numbers are kept as typed; empty means the provider's default. */
export interface Settings {
  system: string
  temperature: string
  maxTokens: string
  effort: Effort | ''
}

export const noSettings: Settings = { system: '', temperature: '', maxTokens: '', effort: '' }

/** Reads stored settings; invalid values are dropped. */
export function readSettings(stored: unknown): Settings {
  const from = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  const text = (field: keyof Settings) => {
    const value = from[field]
    return typeof value === 'string' ? value : ''
  }
  return {
    system: text('system'),
    temperature: text('temperature'),
    maxTokens: text('maxTokens'),
    effort: efforts.find((effort) => effort === text('effort')) ?? '',
  }
}

export type SettingsProblems = Partial<Record<keyof Settings, string>>

export function problemsOf({ temperature, maxTokens }: Settings): SettingsProblems {
  const problems: SettingsProblems = {}
  const number = Number(temperature)
  if (temperature.trim() !== '' && !(number >= 0 && number <= 2))
    problems.temperature = 'Enter a number from 0 to 2.'
  if (maxTokens.trim() !== '' && !/^[1-9]\d{0,6}$/.test(maxTokens.trim()))
    problems.maxTokens = 'Enter a whole number, 1 or more.'
  return problems
}
