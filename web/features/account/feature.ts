import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { UserRound } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/account',
  component: lazyPage(() => import('./account-page.tsx'), 'AccountPage'),
})

export const account = {
  pages: [page],
  navigation: [
    {
      section: 'Settings',
      label: 'Account',
      icon: UserRound,
      page,
      text: 'Your profile, password, theme and sessions.',
      keywords: ['profile', 'password', 'theme', 'sessions'],
    },
  ],
} satisfies Feature
