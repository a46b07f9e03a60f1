/** A part as somebody would write it: its folder of the server and its folder of the dashboard. */
export const partFiles: Readonly<Record<string, string>> = {
  'src/notes/contract.ts': `import { z } from 'zod'

export const note = z.object({ id: z.string(), text: z.string() })
export const noteList = z.object({ data: z.array(note) })

export type Note = z.infer<typeof note>
export type NoteList = z.infer<typeof noteList>
`,

  'src/notes/index.ts': `import { z } from 'zod'
import type { Jobs } from '#kernel/jobs'
import type { Part } from '#kernel/part'
import { note, noteList, type Note } from './contract.ts'
import { createNoteSearchKind } from './search-kind.ts'

const tags = ['Notes']

export function createNotes({ jobs }: { jobs: Jobs }): Part {
  const notes: Note[] = []
  return {
    name: 'notes',
    searchKinds: [createNoteSearchKind(notes)],
    routes(app) {
      app.get(
        '/api/v1/notes',
        {
          config: { needs: 'read' },
          schema: { tags, operationId: 'listNotes', summary: 'List notes', response: { 200: noteList } },
        },
        () => ({ data: notes }),
      )
      app.post(
        '/api/v1/notes',
        {
          config: { needs: 'admin' },
          schema: {
            tags,
            operationId: 'addNote',
            summary: 'Add a note later',
            body: note,
            response: { 202: z.object({ accepted: z.literal(true) }) },
          },
        },
        async (request, reply) => {
          await jobs.send('notes.add', request.body)
          return reply.code(202).send({ accepted: true as const })
        },
      )
    },
    jobs(definitions) {
      definitions.define<Note>('notes.add', async (added) => {
        notes.push(added)
      })
    },
  }
}
`,

  'src/notes/search-kind.ts': `import type { SearchKind } from '#kernel/search'
import type { Note } from './contract.ts'

export function createNoteSearchKind(notes: readonly Note[]): SearchKind {
  return {
    kind: 'note',
    title: 'Notes',
    async changed(after, limit) {
      const from = Number(after ?? 0)
      const found = notes.slice(from, from + limit)
      const documents = found.map(({ id, text }) => ({
        groupId: null,
        id,
        title: text.slice(0, 80),
        text,
        url: '/notes',
        at: new Date(),
      }))
      return { documents, cursor: String(from + found.length), more: false }
    },
    missing: async () => [],
  }
}
`,

  'src/notes/commands/notes.ts': `import { write, type Command } from '#kernel/command'

export const command: Command = {
  summary: 'Say that the notes are here',
  usage: [''],
  options: {},
  async run() {
    write('notes are here')
    return 0
  },
}
`,

  'web/features/notes/feature.ts': `import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { NotebookPen } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/notes',
  component: lazyRouteComponent(() => import('./notes-page.tsx'), 'NotesPage'),
})

export const notes = {
  pages: [page],
  navigation: [{ section: 'Work', label: 'Notes', icon: NotebookPen, page }],
} satisfies Feature
`,

  'web/features/notes/notes-page.tsx': `import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { Page } from '../../ui/page.tsx'

export function NotesPage() {
  const { data } = useQuery({ queryKey: ['notes'], queryFn: () => call('GET', '/api/v1/notes') })
  return (
    <Page title="Notes" description="A page that only this test has.">
      <ul>{data?.data.map(({ id, text }) => <li key={id}>{text}</li>)}</ul>
    </Page>
  )
}
`,
}

/** The entries in the two lists, each with its import, and what "npm run web:routes" adds. */
export const listEntries = [
  {
    file: 'src/main.ts',
    importLine: "import { createNotes } from '#notes'",
    after: '    search,\n',
    entry: '    createNotes(kernel),\n',
  },
  {
    file: 'web/features.ts',
    importLine: "import { notes } from './features/notes/feature.ts'",
    after: '  account,\n',
    entry: '  notes,\n',
  },
  {
    file: 'web/api/routes.ts',
    importLine: "import type { NoteList } from '#notes/contract'",
    after: '  GET: {\n',
    entry: "    '/api/v1/notes': { response: NoteList }\n",
  },
] as const
