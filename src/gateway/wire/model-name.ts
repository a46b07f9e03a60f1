import { invalidField } from '#kernel/errors'

/** Clients choose the names of models, and caches, circuits, the journal and headers keep them. */
const maxLength = 300

/** Half of a surrogate pair fits into no address and no header. */
export function isModelName(name: string): boolean {
  return name.length <= maxLength && name.isWellFormed()
}

/** Throws a Fault that names the field. */
export function checkModelName(name: string, field = 'model'): void {
  if (!isModelName(name))
    throw invalidField(field, `may have at most ${maxLength} characters, which must be valid Unicode`)
}
