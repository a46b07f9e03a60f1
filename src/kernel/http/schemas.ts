import { z } from 'zod'

export const listOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item) })
