import type { Agent } from '#agents/contract'

export type PermissionMode = Agent['config']['permission_mode']

export const modeWords: Record<PermissionMode, string> = {
  default: 'Asks before it changes something',
  plan: 'Only reads',
  acceptEdits: 'Asks before it destroys something',
  dontAsk: 'Does without what would need to be asked',
  bypassPermissions: 'Never asks; the SQL policy still applies',
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
