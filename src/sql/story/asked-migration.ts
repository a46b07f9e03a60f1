import { mask } from '#kernel/mask'
import type { MigrateBody } from '../contract.ts'
import { hashOf } from '../migrate/applied.ts'
import type { AskedMigration } from '../migrate/history.ts'
import { ownerOf, type Caller } from './caller.ts'
import type { StoryDeps } from './deps.ts'
import type { Prepared } from './prepared.ts'
import { readTexts, type Reading } from './reading.ts'

/** The way back is judged when it is used; what PostgreSQL cannot parse is refused with the migration. */
export async function readRollback(
  { classifier }: StoryDeps,
  caller: Caller,
  { rollback }: MigrateBody,
): Promise<Reading | null> {
  if (rollback.length === 0) return null
  const reading = await readTexts(classifier, rollback, 'migrate', ownerOf(caller.executor))
  if (reading.unreadable) throw reading.unreadable
  return reading
}

/** What is kept of a migration, without secrets. */
export function askedMigration(
  { caller, reading, judged, approval }: Prepared,
  { database, name, checks, reason }: MigrateBody,
  back: Reading | null,
): AskedMigration {
  const { executor, group } = caller
  const isComplete = isPlain(reading)
  return {
    group_id: group.id,
    database,
    name: mask(name),
    sha256: hashOf(reading.texts),
    statements: isComplete ? reading.texts : [mask(reading.safeText)],
    is_complete: isComplete,
    checks: checks.map((check) => mask(check)),
    operations: reading.operations,
    rollback: back && isPlain(back) ? back.texts : null,
    agent_id: judged.agent.id,
    reason: mask(reason),
    requester: mask(approval ? approval.requester : executor.name),
    requested_key: approval ? approval.requested_key : executor.keyId,
    asked_by: JSON.stringify(approval?.asked_by ?? executor.asked),
  }
}

const isPlain = ({ carriesSecret, texts }: Reading): boolean =>
  !carriesSecret && texts.every((text) => mask(text) === text)
