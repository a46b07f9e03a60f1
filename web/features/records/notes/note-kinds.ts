import { GraduationCap, Lightbulb, NotebookPen, type LucideIcon } from 'lucide-react'
import type { Devlog, Learning, Skill } from '#records/contract'

/** Devlogs, skills and learnings differ in a few fields; their pages are the same. */
export type Note = Devlog | Skill | Learning

export interface NoteKind {
  path: 'devlogs' | 'skills' | 'learnings'
  noun: string
  title: string
  icon: LucideIcon
  description: string
  empty: string
  /** Skills have a name, the others a title. */
  titleField: 'title' | 'name'
  /** The field that sorts them, where there is one. */
  sort?: { field: 'log_type' | 'category'; label: string; all: string; fallback: string }
  hasDescription: boolean
  hasService: boolean
}

export const devlogs: NoteKind = {
  path: 'devlogs',
  noun: 'devlog',
  title: 'Devlogs',
  icon: NotebookPen,
  description: 'What people and agents did and why, in Markdown.',
  empty: 'Write down what you did and why. Agents send theirs to POST /api/devlogs with author_kind “ai”.',
  titleField: 'title',
  sort: { field: 'log_type', label: 'Type', all: 'All types', fallback: 'note' },
  hasDescription: false,
  hasService: true,
}

export const skills: NoteKind = {
  path: 'skills',
  noun: 'skill',
  title: 'Skills',
  icon: GraduationCap,
  description: 'Instructions that agents and people follow.',
  empty: 'Write instructions for a task that comes up often, such as how to review a migration.',
  titleField: 'name',
  hasDescription: true,
  hasService: false,
}

export const learnings: NoteKind = {
  path: 'learnings',
  noun: 'learning',
  title: 'Learnings',
  icon: Lightbulb,
  description: 'What the team found out and should not have to find out twice.',
  empty: 'Write down what surprised you. Search finds it when someone runs into the same thing.',
  titleField: 'title',
  sort: { field: 'category', label: 'Category', all: 'All categories', fallback: 'general' },
  hasDescription: false,
  hasService: true,
}

export const titleOf = (note: Note): string => ('title' in note ? note.title : note.name)

export function sortOf(note: Note): string | undefined {
  if ('log_type' in note) return note.log_type
  return 'category' in note ? note.category : undefined
}

export const serviceOf = (note: Note): string | null =>
  'service_id' in note ? (note.service ?? note.service_id) : null
