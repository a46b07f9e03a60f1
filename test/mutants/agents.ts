import type { Mutant } from './mutant.ts'

const runs = ['test/agent-runs/runs.test.ts']
const waiting = ['test/agent-runs/waiting.test.ts']

export const agentMutants: readonly Mutant[] = [
  {
    guard: 'agents: a run calls the model a limited number of times',
    file: 'src/agents/run/supervise.ts',
    text: 'if (recorder.steps >= max_steps)',
    replacement: 'if (recorder.steps < 0)',
    tests: runs,
  },
  {
    guard: 'agents: a run is judged by the policy of its own agent',
    file: 'src/sql/story/prepared.ts',
    text: 'if (body.agent_id !== undefined && body.agent_id !== agentId) throw otherAgent(agentId)',
    replacement: '',
    tests: runs,
  },
  {
    guard: 'agents: in plan a run only reads databases',
    file: 'src/sql/story/prepared.ts',
    text: "if (mode === 'plan' && access === 'write')",
    replacement: "if (mode === 'plan' && access !== 'write' && access !== 'read')",
    tests: waiting,
  },
]
