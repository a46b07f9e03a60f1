import type { AgentModels } from '../../provider.ts'

export const agentModels: AgentModels = { family: /^gpt-\d+(\.\d+)?(-sol)?$/, fallback: 'gpt-6.1-sol' }

/** Source: OpenAI's page of deprecations (developers.openai.com), read in November 2026. */
export const retirements = {
  'chatgpt-4o-latest': '2026-02-17',
  o1: '2026-10-23',
  'o3-mini': '2026-10-23',
  'o4-mini': '2026-10-23',
  'gpt-4': '2026-10-23',
  'gpt-4-turbo': '2026-10-23',
  'gpt-3.5-turbo': '2026-10-23',
  'gpt-4.1-nano': '2026-10-23',
  'gpt-5': '2026-12-11',
  'gpt-5-mini': '2026-12-11',
  'gpt-5-nano': '2026-12-11',
  o3: '2026-12-11',
  'gpt-4o': '2027-01-14',
  'gpt-4o-mini': '2027-01-14',
  'gpt-4.1': '2027-01-14',
  'gpt-4.1-mini': '2027-01-14',
  'whisper-1': '2027-02-26',
  'gpt-4o-transcribe': '2027-02-26',
  'gpt-4o-mini-transcribe': '2027-02-26',
  'gpt-5.1': '2027-04-01',
  'gpt-5.4-nano': '2027-04-01',
}
