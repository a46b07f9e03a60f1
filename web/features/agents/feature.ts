import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { Bot, Plus, Workflow } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { addressReader, on } from '../../ui/address.ts'
import { readRunsAddress } from './runs/run-address.ts'

const getParentRoute = () => shellRoute

const page = createRoute({
  getParentRoute,
  path: '/agents',
  validateSearch: addressReader({ new: on }),
  component: lazyPage(() => import('./agents-page.tsx'), 'AgentsPage'),
})
const agent = createRoute({
  getParentRoute,
  path: '/agents/$id',
  component: lazyPage(() => import('./agent-page.tsx'), 'AgentPage'),
})
const runs = createRoute({
  getParentRoute,
  path: '/agents/runs',
  validateSearch: readRunsAddress,
  component: lazyPage(() => import('./runs/list/runs-page.tsx'), 'RunsPage'),
})
const run = createRoute({
  getParentRoute,
  path: '/agents/runs/$runId',
  component: lazyPage(() => import('./runs/run/run-page.tsx'), 'RunPage'),
})

export const agents = {
  pages: [page, agent, runs, run],
  navigation: [
    { section: 'Work', label: 'Agents', icon: Bot, page },
    {
      section: 'Work',
      label: 'Runs',
      icon: Workflow,
      page: runs,
      isMore: true,
      keywords: ['agents', 'history', 'cost'],
      counts: { kinds: ['run_waiting'], word: 'waiting' },
    },
  ],
  commands: [
    {
      label: 'Add agent',
      may: 'manage',
      keywords: ['create', 'new'],
      icon: Plus,
      go: { to: '/agents', search: { new: true } },
    },
    {
      label: 'Ask agent…',
      keywords: ['run', 'start'],
      icon: Bot,
      may: 'write',
      choose: {
        prompt: 'Agent to ask',
        none: 'This group has no agents.',
        find: async (text, place) => (await import('./choose-agents.ts')).findAgents(text, place),
      },
    },
    {
      label: 'Answer run…',
      keywords: ['approve', 'question', 'waiting', 'agents'],
      icon: Workflow,
      may: 'write',
      choose: {
        prompt: 'Run to answer',
        none: 'No run waits for a person.',
        find: async (text, place) => (await import('./choose-agents.ts')).findWaitingRuns(text, place),
      },
    },
    {
      label: 'Show runs that wait for a person',
      keywords: ['approve', 'question', 'agents'],
      icon: Workflow,
      go: { to: '/agents/runs', search: { status: 'waiting' } },
    },
  ],
} satisfies Feature
