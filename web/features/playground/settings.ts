export const efforts = ['none', 'minimal', 'low', 'medium', 'high'] as const
export type Effort = (typeof efforts)[number]

/** What is set beside the conversation. Numbers are kept as typed; empty leaves the choice to the provider. */
export interface Settings {
  system: string
  temperature: string
  maxTokens: string
  effort: Effort | ''
}

export const noSettings: Settings = { system: '', temperature: '', maxTokens: '', effort: '' }

/** Reads whatever was kept; a value that is not understood is dropped. */
export function readSettings(kept: unknown): Settings {
  const from = (typeof kept === 'object' && kept !== null ? kept : {}) as Record<string, unknown>
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
  const warmth = Number(temperature)
  if (temperature.trim() !== '' && !(warmth >= 0 && warmth <= 2)) problems.temperature = 'From 0 to 2.'
  if (maxTokens.trim() !== '' && !/^[1-9]\d{0,6}$/.test(maxTokens.trim()))
    problems.maxTokens = 'A whole number, 1 or more.'
  return problems
}
