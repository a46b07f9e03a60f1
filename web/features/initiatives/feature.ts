import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { Plus, Target } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readInitiativeAddress, readInitiativesAddress } from './initiatives-address.ts'

const getParentRoute = () => shellRoute

const page = createRoute({
  getParentRoute,
  path: '/initiatives',
  validateSearch: readInitiativesAddress,
  component: lazyPage(() => import('./list/initiatives-page.tsx'), 'InitiativesPage'),
})
const initiative = createRoute({
  getParentRoute,
  path: '/initiatives/$id',
  validateSearch: readInitiativeAddress,
  component: lazyPage(() => import('./one/initiative-page.tsx'), 'InitiativePage'),
})

export const initiatives = {
  pages: [page, initiative],
  navigation: [{ section: 'Work', label: 'Initiatives', icon: Target, page }],
  commands: [
    {
      label: 'Create initiative',
      may: 'write',
      keywords: ['goal', 'criteria', 'stand-up', 'decision'],
      icon: Plus,
      go: { to: '/initiatives', search: { new: true } },
    },
  ],
} satisfies Feature
