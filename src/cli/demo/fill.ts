import type { Filling } from './filling.ts'
import { addDatabase } from './steps/database.ts'
import { addInitiatives } from './steps/initiatives.ts'
import { addBudget } from './steps/limits.ts'
import { addNotes } from './steps/notes.ts'
import { addProvider } from './steps/provider.ts'
import { addRequests } from './steps/requests.ts'
import { addServices } from './steps/services.ts'
import { addSessions } from './steps/sessions.ts'
import { holdStandup } from './steps/standup.ts'
import { addCommits, addStory } from './steps/story.ts'
import { addDeployments, addTickets } from './steps/work.ts'

/** Fills the group from the top down: what later things refer to comes first. `say` gets a line for each step. */
export async function fillGroup(filling: Filling, say: (line: string) => void): Promise<void> {
  const step = async <T>(name: string, work: Promise<T>): Promise<T> => {
    const result = await work
    say(name)
    return result
  }
  await step('a provider with three models and their prices', addProvider(filling))
  await step('four services, one of them down, and alerts', addServices(filling))
  const initiatives = await step('initiatives and their decisions', addInitiatives(filling))
  const tickets = await step('tickets of three months', addTickets(filling, initiatives))
  await step('deployments and incidents', addDeployments(filling))
  await step('a pull request', addCommits(filling))
  await step('a deployment that failed', addStory(filling))
  const sessions = await step('sessions of coding assistants', addSessions(filling, tickets))
  await step('devlogs, learnings and events', addNotes(filling))
  const colleague = await step('requests of today', addRequests(filling, sessions))
  await step('a budget near its end', addBudget(filling, colleague))
  await step('a database, and runs of an agent that wait', addDatabase(filling))
  await step('a stand-up', holdStandup(filling, initiatives))
}
