import { z } from 'zod'
import { groupId } from '#kernel/paging'
import {
  anyText,
  authorKind,
  line,
  markdown,
  metadata,
  pagingOfTexts,
  since,
  slug,
  tags,
  time,
  timeInput,
  until,
} from './fields.ts'

/** Devlogs, skills and learnings: Markdown with tags, by a person or by a program. */

const author = line(200)
  .nullable()
  .optional()
  .meta({ description: 'Defaults to the name of the person, or of the API key.' })

const written = {
  content: markdown.meta({ description: 'Markdown.', examples: ['## What changed'] }),
  tags: tags.default([]),
  metadata: metadata.default({}),
  author_kind: authorKind.default('human'),
  author,
}

/** The same without defaults: what a change does not send keeps its value. */
const rewritten = { tags, metadata, author_kind: authorKind }

const ofService = {
  service_id: line(100).nullable().optional().meta({
    description: 'The ID or the name of a service, or the ID of an agent.',
  }),
}

const shown = {
  id: z.uuid(),
  group_id: z.uuid(),
  content: z.string().meta({ description: 'Markdown.', examples: ['## What changed'] }),
  tags: z.array(z.string()).meta({ examples: [['database']] }),
  metadata: z.record(z.string(), z.unknown()).meta({ examples: [{ intent: 'Add an index' }] }),
  author_kind: authorKind,
  author: z
    .string()
    .nullable()
    .meta({ examples: ['Ada'] }),
  created_at: time,
  updated_at: time,
}

const shownService = {
  service_id: z
    .string()
    .nullable()
    .meta({ examples: ['checkout'] }),
  service: z
    .string()
    .nullable()
    .meta({ description: 'The name of the service.', examples: ['checkout'] }),
}

const titled = (example: string) => z.string().meta({ examples: [example] })

const filters = {
  tag: anyText(100).optional().meta({ description: 'Only those with this tag.' }),
  author_kind: authorKind.optional().meta({ description: 'Only those by people, or by programs.' }),
  since,
  until,
  ...pagingOfTexts,
}
const serviceFilter = {
  service_id: anyText(100)
    .optional()
    .meta({ description: 'Only those of this service: its ID or its name.' }),
}

const devlogFields = z.object({
  ...ofService,
  log_type: line(100).default('note'),
  title: line(500),
  ...written,
  created_at: timeInput.optional().meta({ description: 'Defaults to now.' }),
})
const devlogExample = { service_id: 'checkout', title: 'Index on orders', content: '## What changed' }
export const devlogBody = devlogFields
  .extend(groupId)
  .strict()
  .meta({ examples: [{ ...devlogExample, log_type: 'config', tags: ['database'] }] })
export const devlogChange = devlogFields
  .omit({ created_at: true })
  .extend({ ...rewritten, log_type: line(100) })
  .partial()
  .strict()
  .meta({ examples: [{ title: 'Index on orders and receipts' }] })
export const devlog = z
  .object({ ...shown, ...shownService, log_type: titled('config'), title: titled('Index on orders') })
  .meta({ id: 'Devlog' })
export const devlogQuery = z.object({
  log_type: anyText(100).optional().meta({ description: 'Only devlogs of this type.' }),
  ...serviceFilter,
  ...filters,
})

const skillFields = z.object({ name: slug, description: anyText(2_000).default(''), ...written })
export const skillBody = skillFields
  .extend(groupId)
  .strict()
  .meta({
    examples: [
      { name: 'review-migration', description: 'How to review a migration', content: '1. Read the SQL.' },
    ],
  })
export const skillChange = skillFields
  .extend({ ...rewritten, description: anyText(2_000) })
  .partial()
  .strict()
  .meta({ examples: [{ description: 'How to review a migration' }] })
export const skill = z
  .object({
    ...shown,
    name: titled('review-migration'),
    description: titled('How to review a migration'),
  })
  .meta({ id: 'Skill' })
export const skillQuery = z.object({
  name: anyText(100).optional().meta({ description: 'Only the skill of this name.' }),
  ...filters,
})

const learningFields = z.object({
  ...ofService,
  category: line(100).default('general'),
  title: line(500),
  ...written,
})
export const learningBody = learningFields
  .extend(groupId)
  .strict()
  .meta({
    examples: [
      { title: 'Retries need jitter', content: 'Without it all clients return at once.', category: 'design' },
    ],
  })
export const learningChange = learningFields
  .extend({ ...rewritten, category: line(100) })
  .partial()
  .strict()
  .meta({ examples: [{ category: 'operations' }] })
export const learning = z
  .object({ ...shown, ...shownService, category: titled('design'), title: titled('Retries need jitter') })
  .meta({ id: 'Learning' })
export const learningQuery = z.object({
  category: anyText(100).optional().meta({ description: 'Only learnings of this category.' }),
  ...serviceFilter,
  ...filters,
})

export type Devlog = z.infer<typeof devlog>
export type DevlogInput = z.infer<typeof devlogBody>
export type DevlogChange = z.infer<typeof devlogChange>
export type DevlogQuery = z.infer<typeof devlogQuery>
export type Skill = z.infer<typeof skill>
export type SkillInput = z.infer<typeof skillBody>
export type SkillChange = z.infer<typeof skillChange>
export type SkillQuery = z.infer<typeof skillQuery>
export type Learning = z.infer<typeof learning>
export type LearningInput = z.infer<typeof learningBody>
export type LearningChange = z.infer<typeof learningChange>
export type LearningQuery = z.infer<typeof learningQuery>
