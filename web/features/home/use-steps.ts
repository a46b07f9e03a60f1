import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import {
  BookOpen,
  Bot,
  ChartNoAxesColumn,
  Database,
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
  /** Shows what is there; nothing says when that is done. */
  isTour?: true
  /** What is done, in a few words; undefined while it is still to do. */
  done?: string | undefined
}

/** A step counts as not done while its data is loading or may not be read. */
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
      title: 'Add a provider key',
      text: 'Signalbox stores it encrypted; your apps never see it.',
      to: '/providers',
      done: from(1, providerKeys?.length ?? 0, 'key'),
    },
    {
      icon: MessagesSquare,
      title: 'Try a model',
      text: 'Chat with any model that your group can use.',
      to: '/playground',
      done: requests > 0 || isUsed ? 'tried' : undefined,
    },
    {
      icon: Database,
      title: 'Connect a database',
      text: 'Your own PostgreSQL, for people and agents, under a policy.',
      to: '/sql/databases',
      isTour: true,
    },
    {
      icon: Bot,
      title: 'Run an agent',
      text: 'It queries and changes databases, and asks you where a person decides.',
      to: '/agents',
      isTour: true,
    },
    {
      icon: ScrollText,
      title: 'Watch requests live',
      text: 'Who sent them, how long they took and what they cost.',
      to: '/logs',
      done: from(1, requests, 'request'),
    },
    {
      icon: ChartNoAxesColumn,
      title: 'Track spend',
      text: 'By day, model, provider and key, compared with the previous period.',
      to: '/usage',
      isTour: true,
    },
    {
      icon: Search,
      title: 'Search everything',
      text:
        documents > 0
          ? `${counted(documents, 'document')} indexed, by meaning and by keyword.`
          : 'Models, metadata and errors, by meaning and by keyword.',
      to: '/search',
      isTour: true,
    },
    {
      icon: Orbit,
      title: 'Try embeddings',
      text: 'Vectors for your apps from a built-in model.',
      to: '/embeddings',
      isTour: true,
    },
    {
      icon: KeyRound,
      title: 'Create one key per app',
      text: 'With scopes and an expiry date, revoked in one click.',
      to: '/keys',
      done: from(2, usable, 'key'),
    },
    {
      icon: Users,
      title: 'Invite your team',
      text: 'Invite members with a link and a role.',
      to: '/groups',
      done: from(2, people, 'member'),
    },
    {
      icon: BookOpen,
      title: 'Read the API reference',
      text: 'Every endpoint, with examples.',
      to: '/docs',
      isTour: true,
    },
  ]
}
