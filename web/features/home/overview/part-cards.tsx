import type { UseQueryResult } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import {
  Activity,
  Bot,
  CircleDot,
  MessagesSquare,
  NotebookPen,
  Rocket,
  ShieldCheck,
  SquareTerminal,
  Target,
} from 'lucide-react'
import { servicesQuery } from '../../../api/services.ts'
import {
  approvalFacts,
  deploymentFacts,
  devlogFacts,
  eventFacts,
  runFacts,
  serviceFacts,
  sessionFacts,
  standupFacts,
  ticketFacts,
} from './part-facts.tsx'
import { PartCard, type PartFacts } from './part-card.tsx'
import {
  approvalsGlance,
  deploymentsGlance,
  devlogsGlance,
  eventsGlance,
  initiativesGlance,
  runsGlance,
  sessionsGlance,
  ticketsGlance,
} from './part-queries.ts'

function factsOf<Data>(
  { data, error }: UseQueryResult<Data>,
  read: (data: Data) => PartFacts,
): PartFacts | undefined | null {
  if (data !== undefined) return read(data)
  return error ? null : undefined
}

/** A card of every other part. One that cannot be read does not take the others with it. */
export function PartCards({ groupId }: { groupId: string }) {
  const approvals = factsOf(useQuery(approvalsGlance(groupId)), approvalFacts)
  const runs = factsOf(useQuery(runsGlance(groupId)), runFacts)
  const events = factsOf(useQuery(eventsGlance(groupId)), eventFacts)
  const services = factsOf(useQuery({ ...servicesQuery(groupId), refetchInterval: 30_000 }), serviceFacts)
  const deployments = factsOf(useQuery(deploymentsGlance(groupId)), deploymentFacts)
  const sessions = factsOf(useQuery(sessionsGlance(groupId)), sessionFacts)
  const standups = factsOf(useQuery(initiativesGlance(groupId)), standupFacts)
  const tickets = factsOf(useQuery(ticketsGlance(groupId)), ticketFacts)
  const devlogs = factsOf(useQuery(devlogsGlance(groupId)), devlogFacts)
  return (
    <div className="grid grid-cols-1 gap-3 min-[26rem]:grid-cols-2 lg:grid-cols-3">
      <PartCard icon={ShieldCheck} title="Approvals" to="/sql/approvals" facts={approvals} />
      <PartCard icon={Bot} title="Agents" to="/agents/runs" facts={runs} />
      <PartCard icon={SquareTerminal} title="Events" to="/console" facts={events} />
      <PartCard icon={Activity} title="Services" to="/services" facts={services} />
      <PartCard icon={Rocket} title="Deployments" to="/deployments" facts={deployments} />
      <PartCard icon={MessagesSquare} title="Sessions" to="/transcripts" facts={sessions} />
      <PartCard icon={Target} title="Stand-ups" to="/initiatives" facts={standups} />
      <PartCard icon={CircleDot} title="Tickets" to="/tickets" facts={tickets} />
      <PartCard icon={NotebookPen} title="Devlogs" to="/devlogs" facts={devlogs} />
    </div>
  )
}
