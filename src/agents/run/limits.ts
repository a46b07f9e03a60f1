import type { Config } from '#kernel/config'
import type { RunLimits } from './shapes.ts'

type LimitConfig = Pick<
  Config,
  'AGENT_MAX_STEPS' | 'AGENT_MAX_SECONDS' | 'AGENT_MAX_TOKENS' | 'AGENT_MAX_COST'
>

/** Whoever asks may lower the limits of the server, not raise them. */
export function limitsOf(
  config: LimitConfig,
  given: { [K in keyof RunLimits]?: RunLimits[K] | undefined } = {},
): RunLimits {
  return {
    max_steps: Math.min(config.AGENT_MAX_STEPS, given.max_steps ?? Infinity),
    max_seconds: Math.min(config.AGENT_MAX_SECONDS, given.max_seconds ?? Infinity),
    max_tokens: Math.min(config.AGENT_MAX_TOKENS, given.max_tokens ?? Infinity),
    max_cost: Math.min(config.AGENT_MAX_COST, given.max_cost ?? Infinity),
  }
}
