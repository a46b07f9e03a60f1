import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { KeySquare, Network, Waypoints } from 'lucide-react'
import { builtInNames } from '#gateway/contract'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readProvidersAddress } from './providers-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers',
  validateSearch: readProvidersAddress,
  component: lazyPage(() => import('./providers-page.tsx'), 'ProvidersPage'),
})

const key = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers/keys/$id',
  component: lazyPage(() => import('./provider-key-page.tsx'), 'ProviderKeyPage'),
})

export const providers = {
  pages: [page, key],
  navigation: [
    {
      section: 'Gateway',
      label: 'Providers',
      icon: Network,
      page,
      counts: { kinds: ['provider_key'], word: 'refused' },
    },
  ],
  commands: [
    {
      label: 'Add provider key',
      may: 'manage',
      keywords: [...Object.keys(builtInNames), 'secret'],
      icon: KeySquare,
      go: { to: '/providers', search: { add: 'any' } },
    },
    {
      label: 'Add custom provider',
      may: 'manage',
      keywords: ['compatible', 'own', 'self-hosted', 'base url'],
      icon: Waypoints,
      go: { to: '/providers', search: { new: true } },
    },
  ],
} satisfies Feature
