import { z } from 'zod'
import { maskPattern } from '../rules/patterns.ts'
import { time } from './fields.ts'

const ability = z
  .object({
    ok: z.boolean(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why not, and what to do. With `ok`: what is left out.', examples: [null] }),
  })
  .meta({ examples: [{ ok: true, reason: null }] })

const environment = z.enum(['dev', 'staging', 'prod'])

/** As a JSON Schema has it, in the words of PostgreSQL: no quotes, no system schemas. */
const schemaName = z
  .string()
  .regex(
    /^(?!pg_|information_schema$)[A-Za-z_][A-Za-z0-9_$-]{0,62}$/,
    "must be the name of a schema that is not PostgreSQL's own",
  )

const schemas = z
  .array(schemaName)
  .min(1)
  .max(50)
  .refine((names) => new Set(names).size === names.length, 'must not repeat a schema')
  .meta({ description: 'Schemas whose structure agents may change.', examples: [['public']] })

const url = z
  .string()
  .min(1)
  .max(2_000)
  .meta({
    description: 'Stored encrypted and never returned.',
    examples: ['postgresql://shop:secret@db.example.com:5432/shop'],
  })

export const addedName = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,62}$/, 'must begin with a letter and have only a-z, 0-9, _ and -, at most 63')
  .meta({ examples: ['shop'] })

const environmentField = environment.meta({
  description: 'The stricter of this and the environment of the policy applies.',
  examples: ['prod'],
})

const maskedColumns = z
  .array(maskPattern)
  .max(200)
  .meta({
    description:
      'Columns whose values nobody gets, by name (`email`, `users.email`, `billing.*.iban`) or by a word in their comments (`tag:pii` is `@pii`).',
    examples: [['users.email', 'tag:pii']],
  })

export const databaseBody = z
  .strictObject({
    name: addedName,
    url,
    environment: environmentField.default('dev'),
    schemas: schemas.default(['public']),
    masked_columns: maskedColumns.default([]),
    group_id: z.uuid().optional(),
  })
  .meta({
    examples: [
      {
        name: 'shop',
        url: 'postgresql://shop:secret@db.example.com:5432/shop',
        environment: 'prod',
        schemas: ['public'],
      },
    ],
  })

export const databaseChanges = z
  .strictObject({
    url: url.optional(),
    environment: environmentField.optional(),
    schemas: schemas.optional(),
    masked_columns: maskedColumns.optional(),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ environment: 'prod' }] })

export const setupBody = z
  .strictObject({
    url: url.optional().meta({
      description:
        "An administrator's address of the same database, used once and not stored. Default: the stored address.",
      examples: ['postgresql://admin:secret@db.example.com:5432/shop'],
    }),
    group_id: z.uuid().optional(),
  })
  .meta({ examples: [{ url: 'postgresql://admin:secret@db.example.com:5432/shop' }] })

const shown = z.string().nullable()

export const offeredDatabase = z
  .object({
    name: z.string().meta({ examples: ['shop'] }),
    purpose: z
      .string()
      .nullable()
      .meta({
        description: 'What a database of the server is for; null for others.',
        examples: [null],
      }),
    source: z.enum(['server', 'group']).meta({
      description: '`server`: of the server itself or of `DATABASES`. `group`: added by the group.',
      examples: ['group'],
    }),
    environment: environment.nullable().meta({
      description: 'Null: only the policy has one.',
      examples: ['prod'],
    }),
    schemas: z.array(z.string()).meta({
      description: 'Schemas whose structure agents may change.',
      examples: [['public']],
    }),
    masked_columns: z.array(z.string()).meta({
      description: 'Columns whose values nobody gets.',
      examples: [['users.email']],
    }),
    host: shown.meta({
      description: 'Like `port`, `database` and `login`: for admins and owners only.',
      examples: ['db.example.com'],
    }),
    port: z
      .int()
      .nullable()
      .meta({ examples: [5432] }),
    database: shown.meta({ examples: ['shop'] }),
    login: shown.meta({ examples: ['shop'] }),
    is_set_up: z.boolean().meta({
      description: 'Agents have roles of their own; otherwise the login of the address is used as it is.',
    }),
    available: z.object({ read: ability, write: ability, migrate: ability, undo: ability }).meta({
      description: 'What can be done in it now.',
    }),
    is_available: z.boolean().meta({ description: 'The same as `available.read.ok`.' }),
    problem: z
      .string()
      .nullable()
      .meta({ description: 'The same as `available.read.reason`.', examples: [null] }),
    created_at: time.nullable().meta({ examples: ['2026-11-16T09:30:00.000Z'] }),
  })
  .meta({ id: 'SqlDatabase' })

export type DatabaseBody = z.infer<typeof databaseBody>
export type DatabaseChanges = z.infer<typeof databaseChanges>
export type OfferedDatabase = z.infer<typeof offeredDatabase>
