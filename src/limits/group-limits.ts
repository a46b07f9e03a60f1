import type { KnownLimit } from './limit.ts'

/** By what limits find the requests that concern them. */
export interface Subject {
  readonly apiKeyId: string | null
  readonly userId: string | null
  readonly userLabel: string | null
  readonly tags: readonly string[]
  readonly provider: string | null
  readonly model: string
}

/** The limits of one group, found by what a request is. */
export class GroupLimits {
  readonly all: readonly KnownLimit[]
  /** Those of the group itself, which concern every request. */
  readonly #ofAll: KnownLimit[] = []
  readonly #byName = new Map<string, KnownLimit[]>()
  readonly #patterns: { fits: RegExp; limit: KnownLimit }[] = []

  constructor(limits: readonly KnownLimit[]) {
    this.all = limits
    for (const limit of limits.toSorted(byId)) {
      const { type, id } = limit.subject
      if (type === 'group') this.#ofAll.push(limit)
      else if (type === 'model' && id?.includes('*')) this.#patterns.push({ fits: patternOf(id), limit })
      else this.#add(`${type}:${id ?? ''}`, limit)
    }
  }

  /** In the order of their ids, which is the order in which all requests take them. */
  of(subject: Subject): readonly KnownLimit[] {
    if (this.#byName.size === 0 && this.#patterns.length === 0) return this.#ofAll
    const found = [...this.#ofAll]
    const take = (name: string): void => {
      for (const limit of this.#byName.get(name) ?? []) found.push(limit)
    }
    if (subject.apiKeyId !== null) take(`api_key:${subject.apiKeyId}`)
    if (subject.userId !== null) take(`user:${subject.userId}`)
    if (subject.userLabel !== null) take(`user:label:${subject.userLabel}`)
    if (subject.provider !== null) take(`provider:${subject.provider}`)
    take(`model:${subject.model}`)
    for (const tag of subject.tags) take(`tag:${tag}`)
    for (const { fits, limit } of this.#patterns) if (fits.test(subject.model)) found.push(limit)
    return found.length > 1 ? found.sort(byId) : found
  }

  #add(name: string, limit: KnownLimit): void {
    const listed = this.#byName.get(name)
    if (listed) listed.push(limit)
    else this.#byName.set(name, [limit])
  }
}

const byId = (one: KnownLimit, other: KnownLimit): number => (one.id < other.id ? -1 : 1)

/** `claude-*`: the star stands for any characters, everything else for itself. */
function patternOf(name: string): RegExp {
  const parts = name.split(/\*+/).map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 's')
}
