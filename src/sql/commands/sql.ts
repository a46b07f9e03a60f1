import { UsageError, type Command } from '#kernel/command'
import { decideByCommand, listPending, showPending } from '../approvals/command-line.ts'
import { setupDatabase } from '../database/setup-command.ts'

export const command: Command = {
  summary: 'Prepare databases for the SQL proxy; approve what waits',
  usage: [
    'setup NAME [--schemas public,sales] [--print] [--json]',
    'pending [--json]',
    'show ID [--json]',
    'approve ID [--note TEXT] [--as EMAIL] [--json]',
    'reject ID [--note TEXT] [--as EMAIL] [--json]',
    '(setup creates two login roles for agents in the database, one that reads and one that writes; --print shows the statements instead)',
  ],
  options: {
    schemas: { type: 'string' },
    print: { type: 'boolean' },
    note: { type: 'string' },
    as: { type: 'string' },
  },
  async run(given) {
    const [action] = given.words
    if (action === 'setup') return setupDatabase(given)
    if (action === 'pending') return listPending(given)
    if (action === 'show') return showPending(given)
    if (action === 'approve') return decideByCommand(given, 'approved')
    if (action === 'reject') return decideByCommand(given, 'rejected')
    throw new UsageError('Use setup NAME, pending, show ID, approve ID or reject ID.')
  },
}
