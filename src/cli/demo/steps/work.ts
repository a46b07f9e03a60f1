import { createHash } from 'node:crypto'
import { eachOf, type Filling } from '../filling.ts'
import { causes, people, repository, services, work, type ServiceName } from '../words.ts'
import type { Initiative } from './initiatives.ts'

export interface Ticket {
  number: number
  title: string
  slug: string
  service: ServiceName
  daysAgo: number
  person: string
  isDone: boolean
}

/** Of the deployment in the story, and of every other by its number. */
export const commitOf = (number: number): string => createHash('sha1').update(`demo ${number}`).digest('hex')
export const issueUrl = (number: number): string => `${repository}/issues/${number}`

/** The ticket of the story: its deployment fails. It is younger than the decision. */
export const storyNumber = 100

/** Three months of tickets, with the times of their work. */
export async function addTickets({ call, ago, random }: Filling, [story]: Initiative[]): Promise<Ticket[]> {
  const tickets = work.map((item, index) => {
    const isStory = index === 0
    const daysAgo = isStory ? 5 : 88 - Math.floor((index * 85) / work.length)
    return {
      ...item,
      number: storyNumber + (isStory ? 0 : index),
      daysAgo,
      person: random.pick(people),
      isDone: isStory || daysAgo > 12 || index % 3 === 0,
      takes: random.whole(1, Math.max(1, Math.min(6, daysAgo - 1))),
    }
  })
  await eachOf(tickets, 6, async ({ number, title, daysAgo, person, isDone, takes }) => {
    const isStarted = isDone || number % 2 === 0
    const status = isDone ? 'done' : isStarted ? 'in_progress' : 'open'
    const isStory = number === storyNumber
    await call('/api/tickets', {
      json: {
        ...{
          title,
          status,
          assignee: person,
          url: issueUrl(number),
          created_at: ago(daysAgo, 8, number % 60),
        },
        description: isStory
          ? `A receipt was off by a cent. Follows [the decision](/initiatives/${story?.id}?decision=${story?.decision}).`
          : `Reported by a customer of the demo shop. ${title}.`,
        priority: (['high', 'medium', 'low'] as const)[number % 3],
        ...(isStory && { initiative_id: story?.id }),
        ...(isStarted && { started_at: ago(daysAgo, 10) }),
        ...(isDone && { completed_at: ago(isStory ? 2 : daysAgo - takes, 15) }),
        source: 'demo',
        external_id: `issue-${number}`,
      },
    })
  })
  return tickets
}

/** Deployments of three months: one in eleven fails and has an incident, which the next one repairs. */
export async function addDeployments({ call, ago, random }: Filling): Promise<void> {
  const days = Array.from({ length: 86 }, (_, index) => 88 - index).filter((_, index) => index % 7 < 5)
  let number = 0
  for (const daysAgo of days) {
    number += 1
    const { name } = services[number % services.length] ?? services[0]
    const hasFailed = number % 11 === 0
    const version = `2.${number}.0`
    const minute = random.whole(0, 40)
    const { id } = await call<{ id: string }>('/api/deployments', {
      json: {
        ...{ service: name, version, commit: commitOf(number), status: hasFailed ? 'failed' : 'succeeded' },
        ...{
          started_at: ago(daysAgo, 13, minute),
          finished_at: ago(daysAgo, 13, minute + random.whole(3, 9)),
        },
        ...{ committed_at: ago(daysAgo + random.whole(0, 2), 9), deployed_by: random.pick(people) },
        ...{ source: 'demo', external_id: `deployment-${number}` },
      },
    })
    if (hasFailed)
      await addIncident({ call, ago, random }, { deployment: id, service: name, daysAgo, number })
  }
}

async function addIncident(
  { call, ago, random }: Pick<Filling, 'call' | 'ago' | 'random'>,
  {
    deployment,
    service,
    daysAgo,
    number,
  }: { deployment: string; service: ServiceName; daysAgo: number; number: number },
): Promise<void> {
  const end = random.whole(14, 17)
  const { id } = await call<{ id: string }>('/api/incidents', {
    json: {
      ...{ service, cause: random.pick(causes[service]), note: 'The deployment was taken back by hand.' },
      ...{ deployment_id: deployment, opened_at: ago(daysAgo, 13, 52), closed_at: ago(daysAgo, end, 10) },
    },
  })
  await call('/api/deployments', {
    json: {
      ...{
        service,
        version: `2.${number}.1`,
        commit: commitOf(number + 500),
        status: 'succeeded',
        is_rework: true,
      },
      ...{ started_at: ago(daysAgo, end, 2), finished_at: ago(daysAgo, end, 8), incident_id: id },
      ...{ committed_at: ago(daysAgo, end - 1, 40), deployed_by: random.pick(people) },
      ...{ source: 'demo', external_id: `rework-${number}` },
    },
  })
}
