import type { Workflow } from '../contract.ts'
import type { Evidence } from './evidence.ts'
import { isMigration, migrationWorkflow } from './migration.ts'
import { validationOf, type Validation } from './validation.ts'

export interface Judged {
  workflow: Workflow | null
  validation: Validation | null
}

/**
 * Which checklist a run followed, by what ran and not by what the model says. Without a change, checks of data make a
 * validation; so does a request for one, whatever the agent then left out.
 */
export function judge(evidence: Evidence, request: string): Judged {
  if (evidence.changes.some(isMigration)) return { workflow: migrationWorkflow(evidence), validation: null }
  const hasChecks = evidence.queries.some(({ shape }) => shape.checks.length > 0)
  const isAsked = /\bvalidat/i.test(request)
  if (evidence.changes.length > 0 || !(hasChecks || isAsked)) return { workflow: null, validation: null }
  const validation = validationOf(evidence)
  return { workflow: validation?.workflow ?? null, validation }
}
