import { createRoute } from '@tanstack/react-router'
import type { Feature } from '../../shell/feature.ts'
import { lazyPage } from '../../shell/lazy-page.ts'
import { shellRoute } from '../../shell/routes.ts'
import { addressReader, text } from '../../ui/address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/why',
  // The page knows which types there are: with their list every page would load the library that describes them.
  validateSearch: addressReader({ type: text, id: text }),
  component: lazyPage(() => import('./why-page.tsx'), 'WhyPage'),
})

/** Reached from the pages of things. */
export const links = { pages: [page], navigation: [], commands: [] } satisfies Feature
