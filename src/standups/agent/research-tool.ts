import { z } from 'zod'
import { defineTool, type StandupTool } from './tool.ts'

/** The agent's own research; the person sees the results as the agent does. */
export const researchTool: StandupTool = defineTool({
  name: 'research',
  description:
    'Searches everything that the platform holds by meaning and by words, and the web. Cite what you use.',
  input: z.strictObject({
    query: z.string().trim().min(1).max(500),
    web: z.boolean().default(true).describe('False: only what the platform holds.'),
  }),
  async run({ query, web }, { session, research, read, add, signal }) {
    const { results, note } = await research({
      groupId: session.group_id,
      sessionId: session.id,
      ...{ query, web, read, signal },
    })
    await add({ type: 'research', query, results, note, requested_by: 'agent' })
    return {
      data: { results, note },
      shown: `Researched ${query}`,
      links: results.map(({ title, url }) => ({ title, url })),
    }
  },
})
