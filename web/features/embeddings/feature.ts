import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { Gauge, Orbit, Scale } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readEmbeddingsAddress } from './embeddings-address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/embeddings',
  validateSearch: readEmbeddingsAddress,
  component: lazyPage(() => import('./embeddings-page.tsx'), 'EmbeddingsPage'),
})

export const embeddings = {
  pages: [page],
  navigation: [{ section: 'Gateway', label: 'Embeddings', icon: Orbit, page, isMore: true }],
  commands: [
    {
      label: 'Compare texts',
      keywords: ['similarity', 'cosine', 'embeddings'],
      icon: Scale,
      go: { to: '/embeddings', search: { view: 'compare' } },
    },
    {
      label: 'Show search index status',
      keywords: ['embeddings', 'model', 'queue', 'reindex', 'health'],
      icon: Gauge,
      go: { to: '/embeddings', search: { view: 'state' } },
    },
  ],
} satisfies Feature
