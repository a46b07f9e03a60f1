import { builtInNames } from '#gateway/contract'

/** Vectors that the server makes itself have its own name as their provider. */
const names = new Map(
  Object.entries({ ...builtInNames, signalbox: { name: 'Signalbox' } }).map(([id, { name }]) => [id, name]),
)

export const providerName = (id: string): string => names.get(id) ?? id
