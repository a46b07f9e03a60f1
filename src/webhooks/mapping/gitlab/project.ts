import { serviceName, textAt } from '../payload.ts'

/** The last part of the project's path; its name may be anything. */
export function serviceOf(payload: unknown): string | null {
  const path = textAt(payload, 'project.path_with_namespace', 500)?.split('/').at(-1)
  return serviceName(path ?? textAt(payload, 'project.name'))
}
