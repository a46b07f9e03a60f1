import { z } from 'zod'

/** Shapes of the embeddings routes. Browser-safe. */
export const tasks = ['search_document', 'search_query', 'classification', 'clustering'] as const
export const task = z.enum(tasks)
