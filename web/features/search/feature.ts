import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { Search } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readSearchAddress } from './search-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/search',
  validateSearch: readSearchAddress,
  component: lazyPage(() => import('./search-page.tsx'), 'SearchPage'),
})

export const search = {
  pages: [page],
  navigation: [{ section: 'Data', label: 'Search', icon: Search, page, isMore: true }],
  find: async (text, place) => (await import('./find-titles.ts')).findTitles(text, place),
  lookUp: (text) => ({
    label: `Search everything for “${text}”`,
    icon: Search,
    go: { to: '/search', search: { q: text } },
  }),
} satisfies Feature
