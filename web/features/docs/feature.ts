import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { BookOpen } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/docs',
  component: lazyPage(() => import('./docs-page.tsx'), 'DocsPage'),
})

export const docs = {
  pages: [page],
  navigation: [{ section: 'Gateway', label: 'API reference', icon: BookOpen, page, isMore: true }],
} satisfies Feature
