import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { MessagesSquare, MonitorDot, Search } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { readSessionAddress, readTranscriptsAddress } from './transcripts-address.ts'

const getParentRoute = () => shellRoute

const page = createRoute({
  getParentRoute,
  path: '/transcripts',
  validateSearch: readTranscriptsAddress,
  component: lazyPage(() => import('./list/transcripts-page.tsx'), 'TranscriptsPage'),
})

const watchers = createRoute({
  getParentRoute,
  path: '/transcripts/watchers',
  component: lazyPage(() => import('./watchers/watchers-page.tsx'), 'WatchersPage'),
})

/** Of a request in the log only the assistant's own id of its session is known. */
const byKey = createRoute({
  getParentRoute,
  path: '/transcripts/by-key/$key',
  component: lazyPage(() => import('./session/by-key-page.tsx'), 'ByKeyPage'),
})

const session = createRoute({
  getParentRoute,
  path: '/transcripts/$id',
  validateSearch: readSessionAddress,
  component: lazyPage(() => import('./session/session-page.tsx'), 'SessionPage'),
})

export const transcripts = {
  pages: [page, watchers, byKey, session],
  navigation: [
    {
      section: 'Work',
      label: 'Transcripts',
      icon: MessagesSquare,
      page,
      keywords: ['sessions', 'assistants'],
    },
    {
      section: 'Work',
      label: 'Watchers',
      icon: MonitorDot,
      page: watchers,
      isMore: true,
      keywords: ['sessions', 'machines', 'assistants', 'watch'],
    },
  ],
  lookUp: (text) => ({
    label: `Search transcripts for “${text}”`,
    icon: Search,
    go: { to: '/transcripts', search: { q: text } },
  }),
} satisfies Feature
