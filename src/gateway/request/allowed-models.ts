import type { Principal } from '#kernel/auth'
import { Fault, faults } from '#kernel/errors'
import { matchesName } from '#kernel/name-pattern'
import { defaultRoute } from '../routing/names/index.ts'

/** Every model that a request names, also for the case that the first one fails. */
interface Named {
  readonly model?: unknown
  readonly models?: unknown
  readonly fallbacks?: unknown
}

/** What the client names must be allowed; what a route makes of it need not be. */
export function checkModelsAllowed(principal: Principal, named: Named): void {
  if (!principal.key?.allowedModels) return
  const { model, models, fallbacks } = named
  const names = [model ?? [], models ?? [], fallbacks ?? []].flat()
  for (const name of names.length === 0 ? [defaultRoute] : names)
    if (typeof name !== 'string' || !isModelAllowed(principal, name))
      throw notAllowed(principal.key.name, name)
}

export function isModelAllowed({ key }: Principal, name: string): boolean {
  const lists = key?.allowedModels
  return !lists || lists.every((list) => list.some((pattern) => matchesName(pattern, name)))
}

const notAllowed = (key: string, name: unknown): Fault =>
  new Fault(
    faults.modelNotAllowed,
    `The key "${key}" may not use the model ${typeof name === 'string' ? `"${name.slice(0, 100)}"` : 'that is no name'}. GET /v1/models lists those that it may use.`,
    { param: 'model' },
  )
