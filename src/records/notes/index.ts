import type { Action, RecordActivity, RecordDeps } from '../record-kind.ts'
import { equals, type RecordTable, type Stored } from '../record-store.ts'
import {
  devlog,
  learning,
  skill,
  type Devlog,
  type DevlogChange,
  type DevlogInput,
  type DevlogQuery,
  type Learning,
  type LearningChange,
  type LearningInput,
  type LearningQuery,
  type Skill,
  type SkillChange,
  type SkillInput,
  type SkillQuery,
} from '../shapes/notes.ts'
import type { DevlogEntry, Upserted } from '../writer.ts'
import { createNoteKind } from './note-kind.ts'

const tableOf = (name: string, shape: object): RecordTable => ({
  name: `records.${name}`,
  columns: Object.keys(shape),
  sortBy: 'created_at',
})

export function createDevlogs(deps: RecordDeps) {
  const kind = createNoteKind<Stored<Devlog>, DevlogInput, DevlogChange, DevlogQuery>(deps, {
    table: tableOf('devlogs', devlog.shape),
    what: 'The devlog',
    hasService: true,
    conditions: (query) => [equals('log_type', query.log_type)],
    happenedAt: ({ created_at }) => created_at,
    activity: (row, action) => ({
      ...describe('devlog', `Devlog ${action}: ${row.title}`, row, action),
      service: row.service,
    }),
  })
  return {
    ...kind,
    async add(groupId: string, entry: DevlogEntry): Promise<Upserted> {
      const row = await kind.addOnce({ groupId, userId: null, name: entry.author }, entry)
      return { id: entry.id, outcome: row ? 'created' : 'unchanged' }
    },
  }
}

export function createSkills(deps: RecordDeps) {
  return createNoteKind<Stored<Skill>, SkillInput, SkillChange, SkillQuery>(deps, {
    table: tableOf('skills', skill.shape),
    what: 'The skill',
    hasService: false,
    taken: ({ name }) => `A skill "${name}" already exists.`,
    conditions: (query) => [equals('name', query.name)],
    activity: (row, action) => describe('config', `Skill ${action}: ${row.name}`, row, action),
  })
}

export function createLearnings(deps: RecordDeps) {
  return createNoteKind<Stored<Learning>, LearningInput, LearningChange, LearningQuery>(deps, {
    table: tableOf('learnings', learning.shape),
    what: 'The learning',
    hasService: true,
    conditions: (query) => [equals('category', query.category)],
    activity: (row, action) => ({
      ...describe('config', `Learning ${action}: ${row.title}`, row, action),
      service: row.service,
    }),
  })
}

interface Described {
  id: string
  tags: string[]
  author_kind: string
  author: string | null
}

function describe(type: 'devlog' | 'config', title: string, row: Described, action: Action): RecordActivity {
  const { id, tags, author_kind, author } = row
  return {
    type,
    severity: 'info',
    service: null,
    source: 'platform',
    title,
    message: author === null ? '' : `By ${author}`,
    metadata: { id, action, tags, author_kind },
  }
}
