import type { Mutant } from './mutant.ts'

const runs = ['test/agent-runs/runs.test.ts']
const waiting = ['test/agent-runs/waiting.test.ts']

export const agentMutants: readonly Mutant[] = [
  {
    guard: 'agents: only agents of the first group start commands on the server',
    file: 'src/agents/registry.ts',
    text: 'group.id === (await firstGroup())) return',
    replacement: 'group.id !== "") return',
    tests: ['src/agents/registry.test.ts'],
    name: 'the owner of another group starts no command',
  },
  {
    guard: 'agents: of the commands of Signalbox only mcp is for every group',
    file: 'src/agents/registry.ts',
    text: " && args.length === 1 && args[0] === 'mcp'",
    replacement: ' && args.length >= 0',
    tests: ['src/agents/registry.test.ts'],
    name: 'the owner of another group starts no command',
  },
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
