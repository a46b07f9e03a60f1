import { z } from 'zod'
import { readers, type Tool } from '#tools'
import { defineTool, type StandupTool } from './tool.ts'

type Item = Record<string, unknown>

/** A tool of the platform under the name that it has in a stand-up. */
function offer<Input extends z.ZodObject>(
  name: string,
  tool: Tool,
  input: Input,
  given: (input: z.infer<Input>, initiativeId: string) => object = (same) => same,
): StandupTool {
  const { description } = tool
  return defineTool({
    ...{ name, description, input },
    async run(asked, { read, initiative }) {
      const { path } = tool.request(tool.input.parse(given(asked, initiative.id)) as never)
      return shown(tool, await read(path))
    },
  })
}

function shown({ finds }: Tool, body: unknown) {
  const { data } = body as { data?: Item[] }
  const items = (data ?? [body as Item]).map((item) => ({ item, link: finds?.link(item) }))
  const [first] = items
  const found = items.map(({ item, link }) => ({ ...(data ? shortened(item) : item), link: link?.url }))
  const count = `${items.length} ${finds?.one}${items.length === 1 ? '' : 's'}`
  return {
    data: data ? found : found[0],
    shown: data ? `Read ${count}` : `Read the ${finds?.one} ${first?.link?.title}`,
    links: items.flatMap(({ link }) => link ?? []),
  }
}

/** Long texts of a list are cut: the agent reads one of them when it needs it. */
function shortened(item: Item): Item {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > 1_500 ? `${value.slice(0, 1_500)}…` : value,
    ]),
  )
}

const { initiatives, tickets, deployments, devlogs, eventSearch, transcriptSearch, usage } = readers

/** What the agent may read of the platform: with a key of the group that may only read. */
export const readTools: readonly StandupTool[] = [
  offer('read_initiative', initiatives, initiatives.input.pick({ id: true }), ({ id }, own) => ({
    id: id ?? own,
  })),
  offer('list_initiatives', initiatives, initiatives.input.omit({ id: true })),
  offer(
    'list_tickets',
    tickets,
    tickets.input.omit({ initiative_id: true }).extend({
      of_group: z.boolean().default(false).describe('True: also tickets of other initiatives and of none.'),
    }),
    ({ of_group: isAll, ...asked }, own) => ({ ...asked, ...(!isAll && { initiative_id: own }) }),
  ),
  offer('list_deployments', deployments, deployments.input),
  offer('list_devlogs', devlogs, devlogs.input),
  offer('search_events', eventSearch, eventSearch.input),
  offer('search_transcripts', transcriptSearch, transcriptSearch.input),
  offer('read_usage', usage, usage.input.omit({ by: true }), (asked) => ({ ...asked, by: 'model' })),
]
