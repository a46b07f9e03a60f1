import { newRequestId, requestUuid } from '#kernel/http'

/** Ordered by time. */
export const newId = (): string => requestUuid(newRequestId())
