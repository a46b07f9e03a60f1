import type { Config } from '#kernel/config'
import type { RunLimits } from './shapes.ts'

type LimitConfig = Pick<
  Config,
  'AGENT_MAX_STEPS' | 'AGENT_MAX_SECONDS' | 'AGENT_MAX_TOKENS' | 'AGENT_MAX_COST'
>

export const limitsOfServer = (config: LimitConfig): RunLimits => ({
  max_steps: config.AGENT_MAX_STEPS,
  max_seconds: config.AGENT_MAX_SECONDS,
  max_tokens: config.AGENT_MAX_TOKENS,
  max_cost: config.AGENT_MAX_COST,
})

/** A caller may lower the limits of the server, or of the run that asks, but not raise them. */
export function lowered(
  most: RunLimits,
  given: { [K in keyof RunLimits]?: RunLimits[K] | undefined } = {},
): RunLimits {
  return {
    max_steps: Math.min(most.max_steps, given.max_steps ?? Infinity),
    max_seconds: Math.min(most.max_seconds, given.max_seconds ?? Infinity),
    max_tokens: Math.min(most.max_tokens, given.max_tokens ?? Infinity),
    max_cost: Math.min(most.max_cost, given.max_cost ?? Infinity),
  }
}
