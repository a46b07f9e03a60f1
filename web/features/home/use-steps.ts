import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import {
  BookOpen,
  ChartNoAxesColumn,
  KeyRound,
  MessagesSquare,
  Orbit,
  PlugZap,
  ScrollText,
  Search,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { membersQuery } from '../../api/members.ts'
import { counted } from '../../ui/quantity.ts'
import { keysQuery } from '../../api/keys.ts'
import { providersQuery } from '../../api/providers.ts'
import { indexQuery } from '../../api/search-index.ts'
import { sumsQuery } from '../../api/usage-queries.ts'

export interface Step {
  icon: LucideIcon
  title: string
  text: string
  to: NonNullable<LinkProps['to']>
  /** How far it is done, in a few words; undefined while it is still to do. */
  done?: string | undefined
}

/** Counts what is there. What cannot be counted, for want of a right or of time, is simply not done yet. */
export function useSteps(groupId: string, isUsed: boolean): Step[] {
  const providers = useQuery(providersQuery(groupId))
  const keys = useQuery(keysQuery(groupId))
  const members = useQuery(membersQuery(groupId))
  const sums = useQuery(sumsQuery(groupId, {}))
  const index = useQuery({ ...indexQuery(groupId), refetchInterval: false })

  const providerKeys = providers.data?.flatMap(({ accounts }) => accounts.flatMap((account) => account.keys))
  const requests = sums.data?.requests ?? 0
  const usable = keys.data?.filter(({ revoked_at }) => revoked_at === null).length ?? 0
  const people = members.data?.length ?? 0
  const documents = index.data?.documents ?? 0
  const from = (least: number, count: number, what: string) =>
    count >= least ? counted(count, what) : undefined
  return [
    {
      icon: PlugZap,
      title: 'Connect a provider',
      text: 'Give the box a provider’s key; your programs never see it.',
      to: '/providers',
      done: from(1, providerKeys?.length ?? 0, 'key'),
    },
    {
      icon: MessagesSquare,
      title: 'Try a model',
      text: 'Talk to any model the group can reach.',
      to: '/playground',
      done: requests > 0 || isUsed ? 'answers are coming' : undefined,
    },
    {
      icon: ScrollText,
      title: 'Follow the requests',
      text: 'Who asked what, how long it took and what it cost, live.',
      to: '/logs',
      done: from(1, requests, 'request'),
    },
    {
      icon: ChartNoAxesColumn,
      title: 'Watch the spend',
      text: 'By day, model, provider and key, beside the week before.',
      to: '/usage',
    },
    {
      icon: Search,
      title: 'Find anything',
      text:
        documents > 0
          ? `${counted(documents, 'document')} so far, by meaning and by words.`
          : 'Models, metadata and errors, by meaning and by words.',
      to: '/search',
    },
    {
      icon: Orbit,
      title: 'Embed a text',
      text: 'Vectors for your own programs, with nothing to install.',
      to: '/embeddings',
    },
    {
      icon: KeyRound,
      title: 'One key a program',
      text: 'Scoped, expiring, revoked in a click.',
      to: '/keys',
      done: from(2, usable, 'key'),
    },
    {
      icon: Users,
      title: 'Bring the team',
      text: 'Invite people with a link and a role.',
      to: '/groups',
      done: from(2, people, 'member'),
    },
    { icon: BookOpen, title: 'Read the API', text: 'Every route, with a call to copy.', to: '/docs' },
  ]
}
