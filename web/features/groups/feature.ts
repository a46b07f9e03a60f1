import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { Users } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/groups',
  /** The group that is shown, which may differ from the selected group. */
  validateSearch: (search: Record<string, unknown>): { group?: string } =>
    typeof search['group'] === 'string' ? { group: search['group'] } : {},
  component: lazyPage(() => import('./groups-page.tsx'), 'GroupsPage'),
})

export const groups = {
  pages: [page],
  navigation: [{ section: 'Settings', label: 'Groups', icon: Users, page }],
} satisfies Feature
