import type { Mutant } from './mutant.ts'

const services = ['src/records/services/services.test.ts']
const statusPage = ['src/records/status-page/status-page.test.ts']
const merge = ['src/records/deployments/merge.test.ts']

export const recordMutants: readonly Mutant[] = [
  {
    guard: 'records: a late report of an opening moves the end of a ticket',
    file: 'src/records/tickets/merge.ts',
    text: ', ...laterEnd(before, report)',
    replacement: '',
    tests: ['src/records/tickets/tickets.test.ts'],
    name: 'ended the last time',
  },
  {
    guard: 'records: a name that leads to a private address is refused when a check connects',
    file: 'src/records/services/probe.ts',
    text: ', ...(!target.allowPrivate && { lookup: publicOnly })',
    replacement: '',
    tests: services,
    name: 'private networks',
  },
  {
    guard: 'records: a service with a private address needs the permission of an admin',
    file: 'src/records/services/address.ts',
    text: 'if (!allow_private && isIP(host) && isPrivateAddress(host))',
    replacement: 'if (host === "")',
    tests: services,
    name: 'private networks',
  },
  {
    guard: 'records: private networks need the permission of the operator',
    file: 'src/records/services/address.ts',
    text: 'if (allow_private && !config.UPSTREAM_PRIVATE)',
    replacement: 'if (allow_private && interval_s < 0)',
    tests: services,
    name: 'private networks',
  },
  {
    guard: 'records: a check that is due is handed to one replica',
    file: 'src/records/services/check-store.ts',
    text: 'set next_check_at = now() + make_interval(secs => s.interval_s)',
    replacement: 'set next_check_at = s.next_check_at',
    tests: services,
    name: 'two replicas',
  },
  {
    guard: 'records: one failure opens no incident where more are needed',
    file: 'src/records/services/state.ts',
    text: 'failures >= guard.failures_to_open',
    replacement: 'failures > 0',
    tests: ['src/records/services/state.test.ts'],
  },
  {
    guard: 'records: a check in maintenance opens no incident',
    file: 'src/records/services/state.ts',
    text: 'ok || inMaintenance ? 0 :',
    replacement: 'ok ? 0 :',
    tests: ['src/records/services/state.test.ts'],
  },
  {
    guard: 'records: a status page that is switched off does not exist',
    file: 'src/records/status-page/store.ts',
    text: 'where slug = ${slug} and is_enabled',
    replacement: 'where slug = ${slug}',
    tests: statusPage,
  },
  {
    guard: 'records: a status page shows public services only',
    file: 'src/records/status-page/store.ts',
    text: 'where group_id = ${groupId} and is_public',
    replacement: 'where group_id = ${groupId}',
    tests: statusPage,
  },
  {
    guard: 'records: an older report does not replace a newer one',
    file: 'src/records/upsert.ts',
    text: 'return report.at > before.at',
    replacement: 'return true',
    tests: merge,
  },
  {
    guard: 'records: an incident names a deployment of its own group',
    file: 'src/records/services/incidents.ts',
    text: 'where d.id = ${deployment_id} and d.group_id = ${author.groupId}',
    replacement: 'where true',
    tests: services,
    name: 'names the deployment',
  },
]
