import { UsageError, type Command } from '#kernel/command'
import { setupDatabase } from '../database/setup-command.ts'

export const command: Command = {
  summary: 'Prepare databases for the SQL proxy',
  usage: [
    'setup NAME [--schemas public,sales] [--print] [--json]',
    '(setup creates two login roles for agents in the database, one that reads and one that writes; --print shows the statements instead)',
  ],
  options: { schemas: { type: 'string' }, print: { type: 'boolean' } },
  async run(given) {
    if (given.words[0] === 'setup') return setupDatabase(given)
    throw new UsageError('Use setup NAME.')
  },
}
