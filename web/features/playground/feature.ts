import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { MessagesSquare } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readPlaygroundAddress } from './playground-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playground',
  validateSearch: readPlaygroundAddress,
  component: lazyPage(() => import('./playground-page.tsx'), 'PlaygroundPage'),
})

export const playground = {
  pages: [page],
  find: async (text, place) => (await import('./find-models.ts')).findModels(text, place),
  navigation: [{ section: 'Gateway', label: 'Playground', icon: MessagesSquare, page }],
} satisfies Feature
