import { z } from 'zod'
import { columnPattern, tablePattern } from '../rules/patterns.ts'
import { isKnownOperation } from './known-operations.ts'

const entry = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z]+( [A-Za-z]+)*$/, 'must be words such as DROP TABLE')
  .transform((words) => words.toUpperCase())

/** `name`, `schema.name`; compared with the decoded name, so case counts. */
const functionName = z.string().trim().min(1).max(130)

function shapeOf(operations: z.ZodType<string[], string[]>, functions: z.ZodType<string, string>) {
  return z.strictObject({
    allowed_databases: z.array(z.string().trim().min(1).max(63)).max(100),
    allowed_operations: operations,
    requires_approval: operations,
    environment: z.enum(['dev', 'staging', 'prod']),
    allowed_functions: z.array(functions).max(200).optional(),
    four_eyes: z.boolean().optional(),
    tables: z
      .strictObject({
        allow: z.array(tablePattern).max(200).optional(),
        deny: z.array(tablePattern).max(200).optional(),
      })
      .optional(),
    max_rows: z.int().min(1).max(10_000).optional(),
    masked_columns: z.array(columnPattern).max(200).optional(),
  })
}

/** A policy as it is stored: an earlier version accepted words that name no operation. */
export const storedPolicySchema = shapeOf(z.array(entry).max(200), functionName)

export const operationList = z
  .array(
    entry.refine(isKnownOperation, {
      error: ({ input }) => `${String(input)} is no operation of PostgreSQL. Use words such as DROP TABLE.`,
    }),
  )
  .max(200)

/**
 * What an agent may do. A key or an operation that does not exist is an error: a misspelt rule would never apply, and
 * nobody would notice.
 */
export const policySchema = shapeOf(
  operationList,
  functionName.regex(/^[^\s.()]+(\.[^\s.()]+)?$/, 'must be a name such as nextval or billing.next_number'),
)

export type Policy = z.infer<typeof policySchema>

/** The policy of the data-engineering agent on the first start. */
export const dataEngineerPolicy: Policy = {
  allowed_databases: ['status', 'calendar', 'application'],
  allowed_operations: ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE INDEX', 'CREATE TABLE'],
  requires_approval: ['DROP', 'TRUNCATE', 'ALTER TABLE'],
  environment: 'dev',
}

/** A function of the target database, from `pg_proc`. */
export interface FunctionFacts {
  schema: string
  name: string
  volatility: 'i' | 's' | 'v'
  isSecurityDefiner: boolean
  language: string
  /** In the search path, so that its name alone may mean it; true when nothing is said. */
  isVisible?: boolean
  /** Can be called with one argument, and so as the field of a value; true when nothing is said. */
  takesOne?: boolean
  /** Its code was read: it only calculates and reads, and so does everything it calls. */
  isPure?: boolean
}

/** What a statement reaches without naming it: through a view, an operator, a domain, a cast. */
export interface HiddenReach {
  /** `cast`: it may be called or not, which depends on types. `rule`, `catalog`: where a write leads. */
  reach: 'function' | 'cast' | 'foreign' | 'rule' | 'catalog'
  /** The name in the statement through which it is reached. */
  through: string
  position: number
  /** Of `function` and `cast`. */
  calls: FunctionFacts | null
}

export interface Decision {
  decision: 'execute' | 'approve' | 'refuse'
  /** Stable code of the rule that decided. */
  rule: string
  message: string
  /** Character index in the text, from 0. */
  position: number | null
  /** What would have to change for the statement to run, in words. */
  needed: string
}
