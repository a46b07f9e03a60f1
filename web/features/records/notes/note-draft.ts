import type { Given } from '../../../api/client.ts'
import { serviceOf, sortOf, titleOf, type Note, type NoteKind } from './note-kinds.ts'

export interface NoteDraft {
  title: string
  description: string
  content: string
  service_id: string
  sort: string
  /** Separated by commas. */
  tags: string
}

export function draftOf(kind: NoteKind, note: Note | undefined): NoteDraft {
  if (!note)
    return {
      title: '',
      description: '',
      content: '',
      service_id: '',
      sort: kind.sort?.fallback ?? '',
      tags: '',
    }
  return {
    title: titleOf(note),
    description: 'description' in note ? note.description : '',
    content: note.content,
    service_id: serviceOf(note) ?? '',
    sort: sortOf(note) ?? '',
    tags: note.tags.join(', '),
  }
}

type NoteBody = Given<'POST', `/api/${NoteKind['path']}`>['body']

/** What the server takes: only the fields that this kind has. */
export function bodyOf(kind: NoteKind, draft: NoteDraft): NoteBody {
  const title = draft.title.trim()
  const tags = draft.tags.split(',').map((tag) => tag.trim())
  return {
    ...(kind.titleField === 'name' ? { name: title } : { title }),
    content: draft.content,
    tags: [...new Set(tags)].filter((tag) => tag !== ''),
    ...(kind.hasDescription && { description: draft.description.trim() }),
    ...(kind.hasService && { service_id: draft.service_id === '' ? null : draft.service_id }),
    ...(kind.sort && { [kind.sort.field]: draft.sort.trim() }),
  }
}
