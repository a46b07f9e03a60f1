import type { RecordedRequest } from './record.ts'
import type { ProviderName } from './names.ts'
import type { Match, Reply, ReplySource } from './reply.ts'

interface Entry {
  match: Match
  reply: ReplySource
}

/** The replies a test has laid out: a queue used up in order, and standing ones, the newest first. */
export class Script {
  #queue: Entry[] = []
  #standing: Entry[] = []

  enqueue(match: ProviderName | Match, reply: ReplySource): void {
    this.#queue.push({ match: toMatch(match), reply })
  }

  stand(match: ProviderName | Match, reply: ReplySource): void {
    this.#standing.unshift({ match: toMatch(match), reply })
  }

  async take(request: RecordedRequest): Promise<Reply> {
    const index = this.#queue.findIndex((entry) => matches(entry.match, request))
    const entry =
      index >= 0
        ? this.#queue.splice(index, 1)[0]
        : this.#standing.find((standing) => matches(standing.match, request))
    if (entry === undefined) return {}
    return typeof entry.reply === 'function' ? entry.reply(request) : entry.reply
  }

  get pending(): number {
    return this.#queue.length
  }

  clear(): void {
    this.#queue = []
    this.#standing = []
  }
}

function toMatch(match: ProviderName | Match): Match {
  return typeof match === 'string' ? { provider: match } : match
}

function matches(match: Match, request: RecordedRequest): boolean {
  if (match.provider !== undefined && match.provider !== request.provider) return false
  if (match.model !== undefined && match.model !== request.model) return false
  // A gateway lists models in the background: that must not eat a reply meant for a completion.
  if (match.endpoint === undefined) return request.endpoint !== 'models'
  return match.endpoint === request.endpoint
}
