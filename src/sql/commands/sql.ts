import { UsageError, type Command } from '#kernel/command'
import { decideByCommand, listPending, showPending } from '../approvals/command-line.ts'
import { setupDatabase } from '../database/setup-command.ts'

export const command: Command = {
  summary: 'Prepare databases for the SQL proxy; approve what waits',
  usage: [
    'setup NAME [--print] [--admin-url URL] [--schemas public,sales] [--group ID] [--json]',
    'pending [--json]',
    'show ID [--json]',
    'approve ID [--note TEXT] [--as EMAIL] [--json]',
    'reject ID [--note TEXT] [--as EMAIL] [--json]',
    '(setup creates the roles of agents in the database and lets them change the structure of the schemas; --print shows the statements instead; --admin-url is the address of an administrator, used once)',
  ],
  options: {
    schemas: { type: 'string' },
    print: { type: 'boolean' },
    'admin-url': { type: 'string' },
    group: { type: 'string' },
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
