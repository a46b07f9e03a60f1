import type { AskedBy, AuditRecord } from '#sql/contract'

/**
 * Who ran or decided it. That is not always who asked: a colleague approves. Only the key of a run says nothing to a reader,
 * so its place is taken by the person and the agent behind it.
 */
export function executorName(
  { executor, asked_by: asked }: Pick<AuditRecord, 'executor' | 'asked_by'>,
  askerName: (askedBy: AskedBy, otherwise: string) => string,
): string {
  if (executor === asked.user?.email) return asked.user.name
  return asked.run_id !== null && executor.startsWith('key ') ? askerName(asked, executor) : executor
}
