import { z } from 'zod'
import { usageFilter } from '../contract.ts'

/** What is not known is refused by name: a misspelt filter would otherwise show too much. */
export function onlyKnown<T extends z.ZodRawShape>(schema: z.ZodObject<T>) {
  return schema.catchall(z.string().refine(() => false, 'there is no such parameter'))
}

export const groupId = { group_id: z.uuid().optional() }

export const analyticsQuery = onlyKnown(usageFilter.extend(groupId))
