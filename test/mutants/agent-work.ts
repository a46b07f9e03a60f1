import type { Mutant } from './mutant.ts'

const schedules = ['test/agent-runs/schedules.test.ts']
const continued = ['test/agent-runs/continued.test.ts']
const manyWaiting = ['test/agent-runs/many-waiting.test.ts']
const tickets = ['test/agent-runs/tickets.test.ts']

/** Runs that are continued, from tickets, and on schedules. */
export const agentWorkMutants: readonly Mutant[] = [
  {
    guard: 'agents: a list of runs does not read their conversations',
    file: 'src/agents/run/list-store.ts',
    text: '.select(shownColumns)',
    replacement: '.selectAll()',
    tests: manyWaiting,
    name: 'reads their conversations',
  },
  {
    guard: 'agents: looking after waiting runs does not read their conversations',
    file: 'src/agents/run/run-store.ts',
    text: ".select(['id', 'waiting_for'])",
    replacement: '.selectAll()',
    tests: manyWaiting,
    name: 'reads their conversations',
  },
  {
    guard: 'agents: all runs that wait for an approval are looked at',
    file: 'src/agents/run/resume.ts',
    text: 'while (runs.length === batch)',
    replacement: 'while (runs.length > batch)',
    tests: manyWaiting,
    name: 'hundreds wait longer',
  },
  {
    guard: 'agents: of two replicas one takes a time of a schedule',
    file: 'src/agents/schedules/schedule-store.ts',
    text: "    .where('next_at', '=', next_at ?? new Date(0))\n",
    replacement: '',
    tests: schedules,
    name: 'of two replicas',
  },
  {
    guard: 'agents: times of a schedule that were missed count as one',
    file: 'src/agents/schedules/start-due.ts',
    text: 'new Date(Math.max(Date.now(), next_at?.getTime() ?? 0))',
    replacement: 'new Date(next_at?.getTime() ?? 0)',
    tests: schedules,
    name: 'of two replicas',
  },
  {
    guard: 'agents: a schedule stops when its person may no longer ask',
    file: 'src/agents/schedules/start-due.ts',
    text: "if (scopesIn(principal, group).has('agents'))",
    replacement: 'if (group)',
    tests: schedules,
    name: 'the rights of the person',
  },
  {
    guard: 'agents: a schedule stops when its person has left the group',
    file: 'src/agents/schedules/start-due.ts',
    text: 'principal?.groups.find(({ id }) => id === due.group_id)',
    replacement: "principal && { id: due.group_id, name: '', role: 'member' as const }",
    tests: schedules,
    name: 'the rights of the person',
  },
  {
    guard: 'agents: who changes a schedule gives it their rights',
    file: 'src/agents/schedules/schedules.ts',
    text: 'enabled, request: mask(request), ...rightsOf(principal, group) },\n          next_at: enabled ? next : null,\n          last_error',
    replacement:
      'enabled, request: mask(request) },\n          next_at: enabled ? next : null,\n          last_error',
    tests: schedules,
    name: 'the rights of the person',
  },
  {
    guard: 'agents: a time of a schedule is left out while the run before it still runs',
    file: 'src/agents/schedules/start-due.ts',
    text: 'if (before && isOpen({ status: before }))',
    replacement: 'if (before === undefined)',
    tests: schedules,
    name: 'a time is left out',
  },
  {
    guard: 'agents: a run that has not ended is not continued',
    file: 'src/agents/run/continue.ts',
    text: 'if (isOpen(row))',
    replacement: 'if (row.id === undefined)',
    tests: continued,
    name: 'takes no message',
  },
  {
    guard: 'agents: a continued run has the rights of the one who continues it',
    file: 'src/agents/run/continue.ts',
    text: 'scopes: scopesOfRun(scopesIn(principal, group)),',
    replacement: '',
    tests: continued,
    name: 'rights of the one who continues',
  },
  {
    guard: 'agents: what comes from tools is data in a continued conversation too',
    file: 'src/agents/run/conversation.ts',
    text: 'content: untrusted(name, result)',
    replacement: 'content: result',
    tests: continued,
    name: 'the same conversation',
  },
  {
    guard: 'agents: a ticket is data for an agent',
    file: 'src/agents/run/ticket.ts',
    text: "untrusted('ticket', `${facts",
    replacement: 'String(`${facts',
    tests: tickets,
    name: 'is assigned is worked on',
  },
  {
    guard: 'agents: one run at a time works on a ticket',
    file: 'src/agents/run/assign.ts',
    text: 'if (status && isOpen({ status }))',
    replacement: 'if (status === null)',
    tests: tickets,
    name: 'one run at a time',
  },
  {
    guard: 'records: a run that no longer has a ticket does not write to it',
    file: 'src/records/tickets/ticket-runs.ts',
    text: ' and run_id = ${run_id}`',
    replacement: '`',
    tests: tickets,
    name: 'one run at a time',
  },
]
