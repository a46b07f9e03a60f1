import { newRequestId, requestUuid } from '#kernel/http'

/** A time-ordered uuid, as requests have. */
export const newRecordId = (): string => requestUuid(newRequestId())
