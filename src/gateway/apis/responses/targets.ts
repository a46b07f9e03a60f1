import { objectOf, parseJson } from '../../wire/json.ts'

/** A tool as the client knows it. */
export interface Target {
  readonly name: string
  /** The group of tools it belongs to. */
  readonly namespace?: string
  /** It takes one free text. */
  readonly isCustom: boolean
}

/** The tools on offer by the names under which the provider knows them. */
export type Targets = ReadonlyMap<string, Target>

/** One name for a tool and its group: chat completions have no groups. */
export function wireName({ name, namespace }: Pick<Target, 'name' | 'namespace'>): string {
  if (namespace === undefined) return name
  return `${namespace}${namespace.endsWith('__') ? '' : '__'}${name}`
}

export function groupName(value: unknown): { namespace?: string } {
  return typeof value === 'string' && value !== '' ? { namespace: value } : {}
}

/** A name that the model made up is returned as it is: the client decides how to handle it. */
export function targetOf(targets: Targets, name: string): Target {
  return targets.get(name) ?? { name, isCustom: false }
}

/** The text that a model gave to a tool of free text. */
export function customInput(args: string): string {
  const { input } = objectOf(parseJson(args))
  return typeof input === 'string' ? input : args
}
