import {
  Bot,
  CircleDot,
  Compass,
  DatabaseZap,
  GitCommitHorizontal,
  GitPullRequest,
  MessagesSquare,
  Rocket,
  Scale,
  Server,
  Siren,
  SquareTerminal,
  Zap,
  type LucideIcon,
} from 'lucide-react'
import type { Link, ThingType } from '#links/contract'
import type { Tone } from '../../ui/badge.tsx'

export const typeNames: Readonly<Record<ThingType, string>> = {
  request: 'Request',
  session: 'Session',
  commit: 'Commit',
  pull_request: 'Pull request',
  deployment: 'Deployment',
  incident: 'Incident',
  service: 'Service',
  ticket: 'Ticket',
  run: 'Run',
  sql_change: 'SQL change',
  standup: 'Stand-up',
  decision: 'Decision',
  initiative: 'Initiative',
}

export const typeIcons: Readonly<Record<ThingType, LucideIcon>> = {
  request: Zap,
  session: SquareTerminal,
  commit: GitCommitHorizontal,
  pull_request: GitPullRequest,
  deployment: Rocket,
  incident: Siren,
  service: Server,
  ticket: CircleDot,
  run: Bot,
  sql_change: DatabaseZap,
  standup: MessagesSquare,
  decision: Scale,
  initiative: Compass,
}

export const howTones: Readonly<Record<Link['how'], Tone>> = {
  exact: 'success',
  inferred: 'info',
  person: 'accent',
}

/** `exact`, `by a person`, or how sure: `80 %`. */
export function howText({ how, confidence }: Pick<Link, 'how' | 'confidence'>): string {
  if (how === 'exact') return 'exact'
  return how === 'person' ? 'by a person' : `inferred, ${Math.round(confidence * 100)} %`
}
