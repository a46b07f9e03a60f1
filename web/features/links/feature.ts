import { createRoute } from '@tanstack/react-router'
import type { Feature } from '../../shell/feature.ts'
import { lazyPage } from '../../shell/lazy-page.ts'
import { shellRoute } from '../../shell/routes.ts'
import { addressReader, text, word } from '../../ui/address.ts'
import { thingTypes } from '#links/contract'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/why',
  validateSearch: addressReader({ type: word(thingTypes), id: text }),
  component: lazyPage(() => import('./why-page.tsx'), 'WhyPage'),
})

/** Reached from the pages of things. */
export const links = { pages: [page], navigation: [], commands: [] } satisfies Feature
