import { newRequestId, requestUuid } from '#kernel/http'

/** Grows with time, so that lists are sorted by it. */
export const newId = (): string => requestUuid(newRequestId())
