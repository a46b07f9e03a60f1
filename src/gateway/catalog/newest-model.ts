import type { AgentModels, ModelInfo, Provider } from '../provider.ts'

/** The newest model of a list that can drive an agent and is not about to be retired. */
export function newestModel(
  models: readonly ModelInfo[],
  { family }: AgentModels,
  isLeaving: (model: string) => boolean,
): string | undefined {
  const [newest] = models
    .filter(({ id }) => family.test(id) && !isLeaving(id))
    .toSorted((one, other) => (other.created ?? 0) - (one.created ?? 0) || byVersion(other.id, one.id))
  return newest?.id
}

/** Providers that do not say when a model was made number it. */
const byVersion = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true }) || one.length - other.length

/** When the provider ends a model, as YYYY-MM-DD; also of a dated version of it, such as `-2024-05-13`. */
export function retirementOf(
  { retirements = {} }: Pick<Provider, 'retirements'>,
  model: string,
): string | null {
  const name = Object.keys(retirements).find(
    (each) => model === each || (model.startsWith(`${each}-`) && /^\d{4}/.test(model.slice(each.length + 1))),
  )
  return name === undefined ? null : (retirements[name] ?? null)
}
