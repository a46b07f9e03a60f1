import type { ByModel } from '#usage/contract'

/** The name that the usage log has for a model: there it may stand without the word of its provider. */
export function usedName(id: string, used: readonly ByModel[]): string {
  const isNamed = ({ model, provider }: ByModel) => id === `${provider}/${model}`
  return (used.find(({ model }) => model === id) ?? used.find(isNamed))?.model ?? id
}
