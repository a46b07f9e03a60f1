import type { Agent } from '#agents/contract'

export type PermissionMode = Agent['config']['permission_mode']

export const modeWords: Record<PermissionMode, string> = {
  default: 'SQL follows the policy; other tools ask before they change something',
  plan: 'Only reads',
  acceptEdits: 'SQL follows the policy; other tools ask before they destroy something',
  dontAsk: 'Never asks: SQL and tools that would ask are denied',
  bypassPermissions: 'SQL follows the policy; other tools never ask',
}

export const modeChoices = (Object.keys(modeWords) as PermissionMode[]).map((id) => ({
  id,
  label: modeWords[id],
}))

/** The ID that a name suggests: what an ID may not have becomes `-`. */
export const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replaceAll(/^-|-$/g, '')
