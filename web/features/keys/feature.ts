import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { Ban, KeyRound, Plus } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readKeysAddress } from './keys-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  validateSearch: readKeysAddress,
  component: lazyPage(() => import('./keys-page.tsx'), 'KeysPage'),
})

const one = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys/$id',
  component: lazyPage(() => import('./key-page.tsx'), 'KeyPage'),
})

export const keys = {
  pages: [page, one],
  navigation: [{ section: 'Gateway', label: 'Keys', icon: KeyRound, page }],
  find: async (text, place) => (await import('./find-keys.ts')).findKeys(text, place),
  commands: [
    {
      label: 'Revoke key…',
      keywords: ['delete', 'api key', 'leaked', 'token'],
      icon: Ban,
      choose: {
        prompt: 'Key to revoke',
        none: 'There is no active key that you may revoke.',
        find: async (text, place) => (await import('./find-keys.ts')).findRevocable(text, place),
      },
    },
    {
      label: 'Create key',
      keywords: ['new', 'api key', 'token'],
      icon: Plus,
      go: { to: '/keys', search: { new: true } },
    },
  ],
} satisfies Feature
