import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { House } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyPage(() => import('./home-page.tsx'), 'HomePage'),
})

export const home = {
  pages: [page],
  navigation: [{ section: 'Top', label: 'Overview', icon: House, page, keywords: ['home', 'attention'] }],
} satisfies Feature
