import type { AgentModels } from '../../provider.ts'

export const agentModels: AgentModels = {
  family: /^claude-sonnet-\d+(-\d{1,2})?$/,
  fallback: 'claude-sonnet-5-5',
}

/** Source: Anthropic's page of model deprecations, read in November 2026. */
export const retirements = { 'claude-sonnet-4-5': '2026-11-30' }
