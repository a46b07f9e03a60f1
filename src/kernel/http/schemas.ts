import { z } from 'zod'

export const listOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item) })

/** A list that is read page by page. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    next_cursor: z
      .string()
      .nullable()
      .meta({ description: 'Returns the next page as `cursor`; null on the last one.', examples: [null] }),
  })
