import { z } from 'zod'
import { time } from './fields.ts'

/** More is cut, so that a database with very many tables neither fills memory nor a page. */
export const schemaLimits = { relations: 2_000, columns: 20_000, keys: 5_000, indexes: 5_000 } as const

const column = z.object({
  name: z.string().meta({ examples: ['customer_id'] }),
  type: z.string().meta({ description: 'As PostgreSQL writes it.', examples: ['numeric(10,2)'] }),
  is_nullable: z.boolean(),
})

const key = z.object({
  name: z.string().meta({ examples: ['orders_pkey'] }),
  kind: z.enum(['primary', 'unique', 'foreign']),
  columns: z.array(z.string()).meta({ examples: [['id']] }),
  references: z
    .object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) })
    .nullable()
    .meta({ description: 'Of a foreign key.', examples: [null] }),
})

const index = z.object({
  name: z.string().meta({ examples: ['orders_pkey'] }),
  definition: z.string().meta({ examples: ['btree (id)'] }),
  is_unique: z.boolean(),
})

const relation = z
  .object({
    schema: z.string().meta({ examples: ['public'] }),
    name: z.string().meta({ examples: ['orders'] }),
    kind: z.enum(['table', 'view', 'materialized_view', 'foreign_table']),
    rows_estimate: z
      .number()
      .nullable()
      .meta({
        description:
          'As PostgreSQL counted them last. Null: never counted, a view, or rows are hidden by row security.',
        examples: [1200],
      }),
    bytes: z
      .number()
      .nullable()
      .meta({
        description: 'With indexes. Null: a view, locked now, or rows are hidden.',
        examples: [81_920],
      }),
    columns: z.array(column),
    keys: z.array(key),
    indexes: z.array(index),
  })
  .meta({ id: 'SqlRelation' })

export const databaseSchema = z
  .object({
    database: z.string().meta({ examples: ['application'] }),
    relations: z.array(relation),
    truncated: z.boolean().meta({
      description: `There is more than ${schemaLimits.relations} relations, or more columns, keys or indexes than are returned.`,
    }),
    read_at: time,
  })
  .meta({ id: 'SqlSchema' })

export type SchemaRelation = z.infer<typeof relation>
export type DatabaseSchema = z.infer<typeof databaseSchema>
