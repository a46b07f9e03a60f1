import { createRoute } from '@tanstack/react-router'
import { MessagesSquare } from 'lucide-react'
import { lazyPage } from '../../shell/lazy-page.ts'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { addressReader, text } from '../../ui/address.ts'

const page = createRoute({
  getParentRoute: () => shellRoute,
  path: '/initiatives/$id/standup',
  /** Without a session: the open one, or the start of a new one. */
  validateSearch: addressReader({ session: text }),
  component: lazyPage(() => import('./standup-page.tsx'), 'StandupPage'),
})

export const standups = {
  pages: [page],
  commands: [
    {
      label: 'Start stand-up…',
      keywords: ['initiative', 'meeting', 'talk'],
      icon: MessagesSquare,
      may: 'write',
      choose: {
        prompt: 'Initiative to talk about',
        none: 'No initiative is active.',
        find: async (text, place) => (await import('./choose-initiatives.ts')).findInitiatives(text, place),
      },
    },
  ],
} satisfies Feature
