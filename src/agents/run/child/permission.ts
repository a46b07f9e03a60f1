import type { Start } from '../protocol.ts'

/** What a tool says about itself. It is a hint: what protects the databases is the SQL proxy. */
export interface ToolTraits {
  isReader: boolean
  isDestructive: boolean
  /** The SQL proxy judges each call by the agent's policy and asks people itself. */
  isJudged: boolean
}

export type Permission = 'run' | 'ask' | 'deny'

/** What the permission mode of the agent says about a call of a tool. */
export function permissionFor(
  { mode, environment }: Pick<Start, 'mode' | 'environment'>,
  tool: ToolTraits,
): Permission {
  if (tool.isReader || tool.isJudged || mode === 'bypassPermissions') return 'run'
  if (mode === 'plan' || mode === 'dontAsk') return 'deny'
  const isMildEdit = mode === 'acceptEdits' && !tool.isDestructive && environment === 'dev'
  return isMildEdit ? 'run' : 'ask'
}
