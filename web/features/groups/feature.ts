import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { Users } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { addressReader, text } from '../../ui/address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/groups',
  /** The group that is shown, which may differ from the selected group. */
  validateSearch: addressReader({ group: text }),
  component: lazyPage(() => import('./groups-page.tsx'), 'GroupsPage'),
})

const person = createRoute({
  getParentRoute: () => shellRoute,
  path: '/people/$id',
  component: lazyPage(() => import('./person-page.tsx'), 'PersonPage'),
})

export const groups = {
  pages: [page, person],
  navigation: [
    {
      section: 'Group',
      label: 'Members',
      icon: Users,
      page,
      keywords: ['groups', 'roles', 'invite', 'people', 'team'],
    },
  ],
} satisfies Feature
