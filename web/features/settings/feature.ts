import { createRoute } from '@tanstack/react-router'
import { Settings } from 'lucide-react'
import { lazyPage } from '../../shell/lazy-page.ts'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: lazyPage(() => import('./settings-page.tsx'), 'SettingsPage'),
})

export const settings = {
  pages: [page],
  navigation: [
    { section: 'Group', label: 'Settings', icon: Settings, page, counts: { kinds: ['channel_failing'] } },
  ],
} satisfies Feature
