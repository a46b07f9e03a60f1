import { z } from 'zod'
import type { ModelCaller } from '#gateway'
import { Fault, faults } from '#kernel/errors'
import type { ResearchResult } from '../contract.ts'

export interface ResearchDeps {
  models: ModelCaller
  /** Searches the web; undefined: none does. */
  webModel: string | undefined
}

export interface ResearchAsked {
  groupId: string
  sessionId: string
  query: string
  /** False: only what the platform holds. */
  web: boolean
  signal: AbortSignal
  read(path: string, body: object): Promise<unknown>
}

export interface Researched {
  results: ResearchResult[]
  /** What was not searched, and why. */
  note: string | null
}

const maxPlatform = 8
const maxWeb = 8
const maxExcerpt = 600
const webTimeoutMs = 60_000

const found = z.object({
  results: z.array(
    z.object({
      kind: z.string(),
      title: z.string(),
      excerpt: z.string(),
      url: z.string(),
      score: z.number(),
    }),
  ),
})

/** What the platform holds, by meaning and by words, and pages of the web. Everything has an address to open. */
export function createResearch({ models, webModel }: ResearchDeps) {
  async function ofPlatform({ query, read }: ResearchAsked): Promise<Researched> {
    try {
      const { results } = found.parse(await read('/api/v1/search', { query, limit: maxPlatform }))
      return {
        results: results.map(({ kind, excerpt, ...result }) => ({
          ...result,
          excerpt: excerpt.slice(0, maxExcerpt),
          source: kind,
        })),
        note: null,
      }
    } catch (error) {
      return { results: [], note: `What Signalbox holds was not searched: ${reasonOf(error)}` }
    }
  }

  async function ofWeb(asked: ResearchAsked): Promise<Researched> {
    if (!asked.web || webModel === undefined) return { results: [], note: null }
    try {
      await models.check(asked.groupId, webModel)
      const { text, refusal, sources } = await models.complete({
        groupId: asked.groupId,
        purpose: 'standup-research',
        session: asked.sessionId,
        request: {
          model: webModel,
          messages: [{ role: 'user', content: asked.query }],
          max_completion_tokens: 1_000,
          web_search_options: {},
        },
        signal: AbortSignal.any([asked.signal, AbortSignal.timeout(webTimeoutMs)]),
      })
      if (refusal !== null) throw new Fault(faults.provider, refusal.slice(0, maxExcerpt))
      const results = sources.slice(0, maxWeb).map(({ title, url, excerpt }, index) => ({
        title: title.slice(0, 300),
        excerpt: (excerpt || (text ?? '')).slice(0, maxExcerpt),
        source: 'web',
        url,
        score: Math.round((1 - index / (maxWeb + 1)) * 100) / 100,
      }))
      return { results, note: results.length === 0 ? 'The web search named no pages.' : null }
    } catch (error) {
      if (asked.signal.aborted) throw error
      return { results: [], note: `The web was not searched: ${reasonOf(error)}` }
    }
  }

  return async (asked: ResearchAsked): Promise<Researched> => {
    const [platform, web] = await Promise.all([ofPlatform(asked), ofWeb(asked)])
    const notes = [platform.note, web.note].filter((note) => note !== null)
    return {
      results: [...platform.results, ...web.results],
      note: notes.length === 0 ? null : notes.join(' '),
    }
  }
}

export type ResearchNow = ReturnType<typeof createResearch>

function reasonOf(error: unknown): string {
  if (!(error instanceof Fault)) return 'it did not respond.'
  return error.code === faults.notFound.code ? 'this process does not run the search.' : error.message
}
