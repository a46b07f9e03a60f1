import { z } from 'zod'

/** What somebody may look for, and how they may ask for it. */
export const thing = z.object({
  kind: z.string(),
  title: z.string(),
  text: z.string(),
  ask: z.object({
    words: z.string().optional(),
    other: z.string().optional(),
    id: z.string().optional(),
    who: z.string().optional(),
  }),
})
export type Thing = z.infer<typeof thing>
