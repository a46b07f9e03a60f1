import type { RecordWriter } from '#records/contract'
import type { WorkOf } from '#sql/contract'
import type { Workflow } from '../contract.ts'
import { devlogsOf } from './devlogs.ts'
import { evidenceOf } from './evidence.ts'
import { judge } from './judge.ts'

/** A run that ended. */
export interface EndedRun {
  run_id: string
  agent_id: string
  group_id: string
  /** What was asked for. */
  request: string
  /** How often it was asked: what it did before has its devlogs. */
  turn: number
  /** Every key that the run had in this turn. */
  key_ids: readonly string[]
}

export interface Settled {
  workflow: Workflow | null
  /** Of what was written now or at an earlier try. */
  devlogIds: string[]
}

export interface WorkflowDeps {
  workOf: WorkOf
  addDevlog: RecordWriter['addDevlog']
}

const maxDevlogs = 100

/** Which checklist a run followed and what it left out, and its devlogs: from the audit log, never from the model. */
export function createWorkflows({ workOf, addDevlog }: WorkflowDeps) {
  return {
    /** May be called again for the same run: a devlog is written once. */
    async settle(run: EndedRun): Promise<Settled> {
      if (run.key_ids.length === 0) return { workflow: null, devlogIds: [] }
      const evidence = evidenceOf(await workOf(run.group_id, run.key_ids))
      const { workflow, validation } = judge(evidence, run.request)
      const devlogIds: string[] = []
      for (const entry of devlogsOf(run, evidence, validation).slice(0, maxDevlogs))
        devlogIds.push((await addDevlog(run.group_id, entry)).id)
      return { workflow, devlogIds }
    },
  }
}

export type Workflows = ReturnType<typeof createWorkflows>
