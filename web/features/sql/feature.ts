import { createRoute } from '@tanstack/react-router'
import { lazyPage } from '../../shell/lazy-page.ts'
import { DatabaseZap, GitCommitVertical, Plus, ShieldCheck } from 'lucide-react'
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
  navigation: [{ section: 'Work', label: 'SQL', icon: DatabaseZap, page }],
  commands: [
    {
      label: 'Show statements that wait for approval',
      keywords: ['sql', 'approve', 'reject', 'agents'],
      icon: ShieldCheck,
      go: { to: '/sql/approvals' },
    },
    {
      label: 'Show migrations of databases',
      keywords: ['sql', 'schema', 'roll back', 'alter'],
      icon: GitCommitVertical,
      go: { to: '/sql/migrations' },
    },
    {
      label: 'Show masked columns and grants',
      keywords: ['sql', 'rules', 'mask', 'grant', 'columns'],
      icon: ShieldCheck,
      go: { to: '/sql/rules' },
    },
    {
      label: 'Show the audit log of SQL',
      keywords: ['statements', 'history', 'undo'],
      icon: DatabaseZap,
      go: { to: '/sql/audit' },
    },
    {
      label: 'Add a database',
      keywords: ['sql', 'postgres', 'postgresql', 'connect'],
      icon: Plus,
      go: { to: '/sql/databases', search: { new: true } },
    },
  ],
} satisfies Feature
