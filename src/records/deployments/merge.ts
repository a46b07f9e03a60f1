import { invalidField } from '#kernel/errors'
import type {
  Deployment,
  DeploymentChange,
  DeploymentInput,
  DeploymentStatus,
} from '../shapes/deployments.ts'
import type { Stored, Values } from '../record-store.ts'
import { dateOf, earliest, latest } from '../times.ts'
import { isNewer } from '../upsert.ts'
import type { DeploymentReport } from '../writer.ts'

export type DeploymentRow = Stored<Deployment> & { status_at: Date }

/** From the beginning to the end: of two reports with the same time the one further on wins. */
const order: readonly DeploymentStatus[] = ['started', 'failed', 'succeeded', 'rolled_back']

const isFinal = (status: DeploymentStatus): boolean => status !== 'started'

/** A report without an ID where it comes from is always a new deployment. */
export type AnyDeploymentReport = Omit<DeploymentReport, 'external_id'> & { external_id: string | null }

export function fromInput(input: DeploymentInput, now: Date): AnyDeploymentReport {
  const { started_at, finished_at, committed_at, external_id = null, ...rest } = input
  if (finished_at && !isFinal(input.status)) throw invalidField('finished_at', 'needs a final status')
  if (finished_at && started_at) checkOrder(new Date(started_at), new Date(finished_at))
  const finished = finished_at ? new Date(finished_at) : undefined
  const started = started_at ? new Date(started_at) : undefined
  return {
    ...rest,
    external_id,
    at: (isFinal(input.status) ? finished : started) ?? now,
    started_at: started,
    finished_at: finished,
    committed_at: dateOf(committed_at),
  }
}

export function fromReport(
  report: AnyDeploymentReport,
  ids: { id: string; group_id: string },
): DeploymentRow {
  const finished = isFinal(report.status) ? (report.finished_at ?? report.at) : null
  const now = new Date()
  return {
    ...ids,
    service: report.service,
    environment: report.environment ?? 'production',
    version: report.version ?? null,
    status: report.status,
    started_at: earliest(report.started_at ?? report.at, finished),
    finished_at: finished,
    commit: report.commit ?? null,
    committed_at: report.committed_at ?? null,
    url: report.url ?? null,
    deployed_by: report.deployed_by ?? null,
    is_rework: report.is_rework ?? false,
    incident_id: report.incident_id ?? null,
    source: report.source,
    external_id: report.external_id,
    status_at: report.at,
    created_at: now,
    updated_at: now,
  }
}

/** What a report changes. An older one only completes what is known. */
export function mergeReport(before: DeploymentRow, report: AnyDeploymentReport): Values<DeploymentRow> {
  const { version, commit, committed_at, url, deployed_by, incident_id } = report
  const details = { version, commit, committed_at, url, deployed_by, incident_id }
  const known = { status: before.status, at: before.status_at }
  if (!isNewer(report, known, order)) return { ...missingIn(before, details), ...timesBefore(before, report) }
  return {
    ...details,
    service: report.service,
    environment: report.environment,
    is_rework: report.is_rework,
    status: report.status,
    status_at: report.at,
    ...timesOf(before, report),
  }
}

function missingIn(before: DeploymentRow, details: Values<DeploymentRow>): Values<DeploymentRow> {
  const missing = Object.entries(details).filter(([name]) => before[name as keyof DeploymentRow] === null)
  return Object.fromEntries(missing)
}

/** What an older report says about the times: what it ended came before the rollback. */
function timesBefore(before: DeploymentRow, report: AnyDeploymentReport): Values<DeploymentRow> {
  // An older end, while the deployment runs, is the end of an earlier attempt.
  if (isFinal(report.status) && before.finished_at === null) return {}
  const started = report.started_at ?? report.at
  if (isLaterAttempt(before, report))
    return { started_at: earliest(started, before.status_at), finished_at: before.status_at }
  const isEnd = isFinal(report.status) && before.status === 'rolled_back'
  const finished = isEnd ? (report.finished_at ?? report.at) : null
  return {
    started_at: earliest(before.started_at, started),
    ...(finished && { finished_at: earliest(before.finished_at, finished) }),
  }
}

/** An older start after the end that is known: the newest report is the end of this attempt. */
function isLaterAttempt({ status, finished_at }: DeploymentRow, report: AnyDeploymentReport): boolean {
  // A rollback is no end, so its time says nothing about the attempt.
  if (isFinal(report.status) || status === 'rolled_back' || finished_at === null) return false
  return finished_at < report.at
}

function timesOf(before: DeploymentRow, report: AnyDeploymentReport) {
  const started = report.started_at ?? (isFinal(report.status) ? undefined : report.at)
  const finished = isFinal(report.status)
    ? finishOf(before, report.status, report.finished_at, report.at)
    : null
  // A start after an end is another attempt.
  const isRestart = !isFinal(report.status) && isFinal(before.status)
  const first = isRestart ? (started ?? report.at) : earliest(before.started_at, started)
  return { started_at: earliest(first, finished), finished_at: finished }
}

/** A rollback does not change when the deployment was finished, and neither does the same status again. */
function finishOf(before: DeploymentRow, status: DeploymentStatus, given: Date | undefined, at: Date): Date {
  const isKept = status === 'rolled_back' || status === before.status
  return given ?? (isKept ? before.finished_at : null) ?? at
}

/** The columns that a change through the API sets. */
export function applyChange(
  change: DeploymentChange,
  before: DeploymentRow,
  now: Date,
): Values<DeploymentRow> {
  const { started_at, finished_at, committed_at, ...rest } = change
  const status = change.status ?? before.status
  if (finished_at && !isFinal(status)) throw invalidField('finished_at', 'needs a final status')
  if (finished_at === null && isFinal(status))
    throw invalidField('finished_at', 'is needed with a final status')
  const started = started_at ? new Date(started_at) : before.started_at
  const given = finished_at ? new Date(finished_at) : undefined
  const finished = isFinal(status) ? finishOf(before, status, given, latest(now, started)) : null
  if (finished) checkOrder(started, finished)
  return {
    ...rest,
    committed_at: dateOf(committed_at),
    started_at: started,
    finished_at: finished,
    ...(status !== before.status && { status_at: latest(now, before.status_at) }),
  }
}

function checkOrder(started: Date, finished: Date): void {
  if (finished < started) throw invalidField('finished_at', 'must not be before started_at')
}
