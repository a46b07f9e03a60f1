import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import {
  Activity,
  CircleDot,
  Globe,
  GraduationCap,
  Lightbulb,
  NotebookPen,
  Plus,
  Rocket,
  Siren,
  Webhook,
} from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import { addressReader, on, text } from '../../ui/address.ts'
import { readDeploymentsAddress } from './deployments/deployments-address.ts'
import { readIncidentsAddress } from './incidents/incidents-address.ts'
import { readNotesAddress } from './notes/notes-address.ts'
import { readTicketsAddress } from './tickets/tickets-address.ts'
import { readWebhooksAddress } from './webhooks/webhooks-address.ts'

const getParentRoute = () => shellRoute
const notesPage = () => import('./notes/notes-page.tsx')
const notePage = () => import('./notes/note-page.tsx')

const services = createRoute({
  getParentRoute,
  path: '/services',
  validateSearch: addressReader({ state: text, new: on }),
  component: lazyPage(() => import('./services/services-page.tsx'), 'ServicesPage'),
})
const service = createRoute({
  getParentRoute,
  path: '/services/$name',
  validateSearch: addressReader({ tab: text, since: text, until: text }),
  component: lazyPage(() => import('./services/service-page.tsx'), 'ServicePage'),
})
const incidents = createRoute({
  getParentRoute,
  path: '/incidents',
  validateSearch: readIncidentsAddress,
  component: lazyPage(() => import('./incidents/incidents-page.tsx'), 'IncidentsPage'),
})
const incident = createRoute({
  getParentRoute,
  path: '/incidents/$id',
  component: lazyPage(() => import('./incidents/incident-page.tsx'), 'IncidentPage'),
})
const deployments = createRoute({
  getParentRoute,
  path: '/deployments',
  validateSearch: readDeploymentsAddress,
  component: lazyPage(() => import('./deployments/deployments-page.tsx'), 'DeploymentsPage'),
})
const deployment = createRoute({
  getParentRoute,
  path: '/deployments/$id',
  component: lazyPage(() => import('./deployments/deployment-page.tsx'), 'DeploymentPage'),
})
const tickets = createRoute({
  getParentRoute,
  path: '/tickets',
  validateSearch: readTicketsAddress,
  component: lazyPage(() => import('./tickets/tickets-page.tsx'), 'TicketsPage'),
})
const ticket = createRoute({
  getParentRoute,
  path: '/tickets/$id',
  component: lazyPage(() => import('./tickets/ticket-page.tsx'), 'TicketPage'),
})
const devlogs = createRoute({
  getParentRoute,
  path: '/devlogs',
  validateSearch: readNotesAddress,
  component: lazyPage(notesPage, 'DevlogsPage'),
})
const devlog = createRoute({
  getParentRoute,
  path: '/devlogs/$id',
  component: lazyPage(notePage, 'DevlogPage'),
})
const skills = createRoute({
  getParentRoute,
  path: '/skills',
  validateSearch: readNotesAddress,
  component: lazyPage(notesPage, 'SkillsPage'),
})
const skill = createRoute({
  getParentRoute,
  path: '/skills/$id',
  component: lazyPage(notePage, 'SkillPage'),
})
const learnings = createRoute({
  getParentRoute,
  path: '/learnings',
  validateSearch: readNotesAddress,
  component: lazyPage(notesPage, 'LearningsPage'),
})
const learning = createRoute({
  getParentRoute,
  path: '/learnings/$id',
  component: lazyPage(notePage, 'LearningPage'),
})
const webhooks = createRoute({
  getParentRoute,
  path: '/webhooks',
  validateSearch: readWebhooksAddress,
  component: lazyPage(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})
const statusPage = createRoute({
  getParentRoute,
  path: '/status-page',
  component: lazyPage(() => import('./status-page/settings-page.tsx'), 'StatusPageSettings'),
})

export const records = {
  pages: [
    services,
    service,
    incidents,
    incident,
    deployments,
    deployment,
    tickets,
    ticket,
    devlogs,
    devlog,
    skills,
    skill,
    learnings,
    learning,
    webhooks,
    statusPage,
  ],
  navigation: [
    {
      section: 'Observe',
      label: 'Services',
      icon: Activity,
      page: services,
      keywords: ['health', 'uptime'],
      counts: { kinds: ['service_down'], word: 'down' },
    },
    { section: 'Observe', label: 'Incidents', icon: Siren, page: incidents, isMore: true },
    {
      section: 'Work',
      label: 'Tickets',
      icon: CircleDot,
      page: tickets,
      counts: { kinds: ['ticket_stale'], word: 'stale' },
    },
    { section: 'Work', label: 'Deployments', icon: Rocket, page: deployments, isMore: true },
    { section: 'Work', label: 'Devlogs', icon: NotebookPen, page: devlogs, isMore: true },
    { section: 'Work', label: 'Learnings', icon: Lightbulb, page: learnings, isMore: true },
    { section: 'Work', label: 'Skills', icon: GraduationCap, page: skills, isMore: true },
    {
      section: 'Settings',
      label: 'Webhooks',
      icon: Webhook,
      page: webhooks,
      may: 'manage',
      text: 'Deliveries of GitHub, GitLab, Alertmanager, Grafana and your own programs become records.',
    },
    {
      section: 'Settings',
      label: 'Status page',
      icon: Globe,
      page: statusPage,
      text: 'A public page that says which services are up.',
    },
  ],
  commands: [
    {
      label: 'Add service',
      may: 'manage',
      keywords: ['health', 'uptime'],
      icon: Plus,
      go: { to: '/services', search: { new: true } },
    },
    {
      label: 'Report incident',
      may: 'write',
      keywords: ['outage', 'down'],
      icon: Plus,
      go: { to: '/incidents', search: { new: true } },
    },
    { label: 'Add deployment', may: 'write', icon: Plus, go: { to: '/deployments', search: { new: true } } },
    {
      label: 'Add ticket',
      may: 'write',
      keywords: ['issue', 'task'],
      icon: Plus,
      go: { to: '/tickets', search: { new: true } },
    },
    { label: 'Write devlog', may: 'write', icon: Plus, go: { to: '/devlogs', search: { new: true } } },
    {
      label: 'Create webhook',
      may: 'manage',
      keywords: ['github', 'gitlab', 'alertmanager', 'grafana'],
      icon: Plus,
      go: { to: '/webhooks', search: { new: true } },
    },
  ],
} satisfies Feature
