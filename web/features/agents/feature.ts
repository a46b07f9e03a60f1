import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'

const getParentRoute = () => shellRoute

const page = createRoute({
  getParentRoute,
  path: '/agents',
  component: lazyRouteComponent(() => import('./agents-page.tsx'), 'AgentsPage'),
})
const agent = createRoute({
  getParentRoute,
  path: '/agents/$id',
  component: lazyRouteComponent(() => import('./agent-page.tsx'), 'AgentPage'),
})

export const agents = {
  pages: [page, agent],
  navigation: [{ section: 'Work', label: 'Agents', icon: Bot, page }],
} satisfies Feature
