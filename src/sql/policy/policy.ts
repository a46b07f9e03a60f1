import { z } from 'zod'

const entry = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z]+( [A-Za-z]+)*$/, 'must be words such as DROP TABLE')
  .transform((words) => words.toUpperCase())

const operations = z.array(entry).max(200)

/** `name`, `schema.name`; compared with the decoded name, so case counts. */
const functionName = z.string().trim().min(1).max(130)

/** What an agent may do. A key that is not listed here is an error: a misspelt rule must not vanish. */
export const policySchema = z.strictObject({
  allowed_databases: z.array(z.string().trim().min(1).max(63)).max(100),
  allowed_operations: operations,
  requires_approval: operations,
  environment: z.enum(['dev', 'staging', 'prod']),
  allowed_functions: z.array(functionName).max(200).optional(),
  four_eyes: z.boolean().optional(),
})

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
