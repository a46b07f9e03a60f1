import type { Scope } from '#kernel/auth'
import type { Config } from '#kernel/config'
import type { RunLimits } from '../shapes/run.ts'
import type { RunRow } from './run-store.ts'

/** The rights of the caller that a run needs; it gets none that the caller lacks. */
const usefulScopes: readonly Scope[] = ['sql', 'read', 'agents']

export const scopesOfRun = (own: ReadonlySet<Scope>): Scope[] => [
  'gateway',
  ...usefulScopes.filter((scope) => own.has(scope)),
]

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

type Used = Pick<RunRow, 'steps' | 'active_ms' | 'input_tokens' | 'output_tokens' | 'cost'>

/** The limits of a run count from its start, so another turn adds its own to what was used. */
export const onTopOf = (used: Used, limits: RunLimits): RunLimits => ({
  max_steps: used.steps + limits.max_steps,
  max_seconds: Math.ceil(Number(used.active_ms) / 1_000) + limits.max_seconds,
  max_tokens: Number(used.input_tokens) + Number(used.output_tokens) + limits.max_tokens,
  max_cost: Number((Number(used.cost ?? 0) + limits.max_cost).toFixed(6)),
})
