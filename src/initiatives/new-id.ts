import { newRequestId, requestUuid } from '#kernel/http'

export const newId = (at?: number): string => requestUuid(newRequestId(at))

/** One ID for each, sorted as they are: rows of one transaction have the same time. */
export function withIds<T>(list: readonly T[]): { id: string; item: T }[] {
  const start = Date.now()
  return list.map((item, index) => ({ id: newId(start + index), item }))
}
