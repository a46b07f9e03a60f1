import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { Database, DatabaseZap, EyeOff, FileClock, GitCommitVertical, Plus, ShieldCheck } from 'lucide-react'
import type { Feature } from '../../shell/feature.ts'
import { shellRoute } from '../../shell/routes.ts'
import {
  readApprovalsAddress,
  readAuditAddress,
  readConsoleAddress,
  readDatabasesAddress,
  readMigrationsAddress,
} from './sql-address.ts'

const getParentRoute = () => shellRoute

const page = createRoute({
  getParentRoute,
  path: '/sql',
  validateSearch: readConsoleAddress,
  component: lazyPage(() => import('./console/sql-page.tsx'), 'SqlPage'),
})
const approvals = createRoute({
  getParentRoute,
  path: '/sql/approvals',
  validateSearch: readApprovalsAddress,
  component: lazyPage(() => import('./approvals/approvals-page.tsx'), 'ApprovalsPage'),
})
const approval = createRoute({
  getParentRoute,
  path: '/sql/approvals/$id',
  component: lazyPage(() => import('./approvals/approval-page.tsx'), 'ApprovalPage'),
})
const migrations = createRoute({
  getParentRoute,
  path: '/sql/migrations',
  validateSearch: readMigrationsAddress,
  component: lazyPage(() => import('./migrations/migrations-page.tsx'), 'MigrationsPage'),
})
const migration = createRoute({
  getParentRoute,
  path: '/sql/migrations/$id',
  component: lazyPage(() => import('./migrations/migration-page.tsx'), 'MigrationPage'),
})
const rules = createRoute({
  getParentRoute,
  path: '/sql/rules',
  component: lazyPage(() => import('./rules/rules-page.tsx'), 'RulesPage'),
})
const audit = createRoute({
  getParentRoute,
  path: '/sql/audit',
  validateSearch: readAuditAddress,
  component: lazyPage(() => import('./audit/audit-page.tsx'), 'AuditPage'),
})
const databases = createRoute({
  getParentRoute,
  path: '/sql/databases',
  validateSearch: readDatabasesAddress,
  component: lazyPage(() => import('./databases/databases-page.tsx'), 'DatabasesPage'),
})

export const sql = {
  pages: [page, approvals, approval, migrations, migration, rules, audit, databases],
  navigation: [
    { section: 'Data', label: 'SQL', icon: DatabaseZap, page, may: 'write', keywords: ['query', 'console'] },
    {
      section: 'Data',
      label: 'Approvals',
      icon: ShieldCheck,
      page: approvals,
      may: 'write',
      keywords: ['sql', 'statements', 'agents'],
      counts: { kinds: ['approval_waiting'] },
    },
    {
      section: 'Data',
      label: 'Databases',
      icon: Database,
      page: databases,
      may: 'write',
      isMore: true,
      keywords: ['sql', 'postgres', 'connect'],
    },
    {
      section: 'Data',
      label: 'Migrations',
      icon: GitCommitVertical,
      page: migrations,
      may: 'write',
      isMore: true,
      keywords: ['sql', 'schema', 'roll back', 'alter'],
    },
    {
      section: 'Data',
      label: 'Rules',
      icon: EyeOff,
      page: rules,
      may: 'write',
      isMore: true,
      keywords: ['sql', 'mask', 'grant', 'columns'],
    },
    {
      section: 'Data',
      label: 'Audit log',
      icon: FileClock,
      page: audit,
      may: 'write',
      isMore: true,
      keywords: ['sql', 'statements', 'history', 'undo'],
    },
  ],
  commands: [
    {
      label: 'Decide about statement…',
      keywords: ['sql', 'approve', 'reject', 'approval', 'agents'],
      icon: ShieldCheck,
      may: 'manage',
      choose: {
        prompt: 'Statement to approve or reject',
        none: 'No statement waits for approval.',
        find: async (text, place) => (await import('./choose-approvals.ts')).findApprovals(text, place),
      },
    },
    {
      label: 'Add database',
      keywords: ['sql', 'postgres', 'postgresql', 'connect'],
      icon: Plus,
      may: 'manage',
      go: { to: '/sql/databases', search: { new: true } },
    },
  ],
} satisfies Feature
