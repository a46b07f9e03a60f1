import { escapeIdentifier, escapeLiteral } from 'pg'
import { appliedTable } from '../migrate/applied.ts'
import { foreignRights, ownerRole } from './foreign-script.ts'
import { visibleTables, type AgentRoles } from './roles.ts'
import { scramVerifier } from './scram.ts'
import type { SetupFacts } from './setup-facts.ts'

/** Statements that are safe to repeat, in two steps: between them it is tried whether the roles can log in. */
export interface SetupScript {
  roles: string[]
  rights: string[]
}

export function setupScript(facts: SetupFacts): SetupScript {
  const { roles, place } = facts
  return {
    roles: [
      ...loginRole(facts, 'reader'),
      ...loginRole(facts, 'agent'),
      ...[roles.reader, roles.agent].map((role) => mayConnect(facts.database, role)),
      ...[roles.reader, roles.agent].map(limitFiles),
      ...(place.kind === 'foreign' ? ownerRole(facts) : []),
    ],
    rights: rightsOf(facts),
  }
}

function rightsOf(facts: SetupFacts): string[] {
  const { place, roles } = facts
  if (place.kind === 'foreign') return foreignRights(facts)
  return [
    ...(place.isOurs ? [...closedToOthers(facts), ...quiet(roles)] : []),
    ...(place.kind === 'platform' ? rightsInPlatform(facts) : rightsInWorkspace(facts)),
  ]
}

/** Everybody may, unless an administrator changed that. */
const mayConnect = (database: string, role: string): string =>
  `do $$ begin if not has_database_privilege(${escapeLiteral(role)}, ${escapeLiteral(database)}, 'connect') then
  grant connect on database ${escapeIdentifier(database)} to ${escapeIdentifier(role)}; end if; end $$`

const both = (roles: AgentRoles): string =>
  `${escapeIdentifier(roles.reader)}, ${escapeIdentifier(roles.agent)}`

/** Only a superuser may name the attributes that a superuser gives; new roles have none of them. */
const weak = 'nosuperuser nocreatedb nocreaterole noinherit nobypassrls noreplication '

function loginRole({ roles, passwords, place, connections }: SetupFacts, who: 'reader' | 'agent'): string[] {
  const role = escapeIdentifier(roles[who])
  return [
    `do $$ begin create role ${role}; exception when duplicate_object then null; end $$`,
    `alter role ${role} login ${place.isOurs ? weak : ''}connection limit ${connections} password ${escapeLiteral(scramVerifier(passwords[who]))}`,
    `alter role ${role} set default_transaction_read_only = ${who === 'reader' ? 'on' : 'off'}`,
    `alter role ${role} set lock_timeout = '5s'`,
    `alter role ${role} set idle_in_transaction_session_timeout = '30s'`,
    `alter role ${role} set statement_timeout = '60s'`,
    `alter role ${role} set timezone = 'UTC'`,
  ]
}

/**
 * What PUBLIC may do by default and an agent must not. Only where the server is ours: in a foreign database other
 * programs may depend on these rights, and the policy refuses all of it before a statement runs.
 */
function closedToOthers({ database, roles }: SetupFacts): string[] {
  const functions = [
    'set_config(text, text, boolean)',
    'pg_notify(text, text)',
    'pg_sleep(double precision)',
    'pg_sleep_for(interval)',
    'pg_sleep_until(timestamp with time zone)',
    'pg_advisory_lock(bigint)',
    'pg_advisory_lock(integer, integer)',
    'pg_advisory_lock_shared(bigint)',
    'pg_advisory_lock_shared(integer, integer)',
    'query_to_xml(text, boolean, boolean, text)',
    'cursor_to_xml(refcursor, integer, boolean, boolean, text)',
    'database_to_xml(boolean, boolean, text)',
    'lo_create(oid)',
    'lo_creat(integer)',
    'lo_from_bytea(oid, bytea)',
    'lo_put(oid, bigint, bytea)',
    'lo_unlink(oid)',
  ]
  return [
    `grant connect on database ${escapeIdentifier(database)} to ${both(roles)}`,
    `revoke create, temporary, connect on database ${escapeIdentifier(database)} from public`,
    ...functions.map((name) => `revoke execute on function pg_catalog.${name} from public`),
  ]
}

/**
 * PostgreSQL logs statements that fail, with the passwords in them; the audit log has them without. Only a superuser may
 * set this, so elsewhere the administrator decides.
 */
function quiet(roles: AgentRoles): string[] {
  return [roles.reader, roles.agent].flatMap((name) => [
    `alter role ${escapeIdentifier(name)} set log_min_error_statement = panic`,
    `alter role ${escapeIdentifier(name)} set log_min_messages = fatal`,
  ])
}

/** What sorts and joins of one session may write to disk. Only a superuser may set it; elsewhere it stays as it is. */
const limitFiles = (role: string): string =>
  `do $$ begin alter role ${escapeIdentifier(role)} set temp_file_limit = '1GB'; exception when insufficient_privilege then null; end $$`

function rightsInPlatform({ roles, database, groupId }: SetupFacts): string[] {
  const names = [roles.reader, roles.agent]
  return [
    `grant usage on schema records to ${both(roles)}`,
    ...names.flatMap((name) => [
      `alter role ${escapeIdentifier(name)} in database ${escapeIdentifier(database)} set search_path = records, public`,
      // New rows belong to it without being told; see records.group_of_role().
      `alter role ${escapeIdentifier(name)} in database ${escapeIdentifier(database)} set signalbox.group_id = ${escapeLiteral(groupId)}`,
    ]),
    ...visibleTables.map(({ table, isWritable }) => rightsOn(table, isWritable, roles, groupId)),
    // Our migrations created it.
    ...rightsOnApplied('records.signalbox_migrations', roles),
  ]
}

/** Changing row security locks the table, so that is done only where it is not as it should be. */
function rightsOn(table: string, isWritable: boolean, roles: AgentRoles, groupId: string): string {
  const agent = escapeIdentifier(roles.agent)
  const ofGroup = `(group_id = ${escapeLiteral(groupId)}::uuid)`
  const grants = [
    `grant select on ${table} to ${both(roles)}`,
    ...(isWritable ? [`grant insert, update, delete on ${table} to ${agent}`] : []),
  ]
  const security = [
    `alter table ${table} enable row level security`,
    `drop policy if exists ${agent} on ${table}`,
    `create policy ${agent} on ${table} to ${both(roles)} using ${ofGroup} with check ${ofGroup}`,
  ]
  const executed = (statements: string[]): string =>
    statements.map((statement) => `execute ${escapeLiteral(statement)};`).join(' ')
  return `do $setup$ begin
    if to_regclass(${escapeLiteral(table)}) is null then return; end if;
    ${executed(grants)}
    -- Row security does not apply to views; this one has its own filter.
    if (select relkind = 'v' from pg_class where oid = ${escapeLiteral(table)}::regclass) then return; end if;
    if not exists (select from pg_policy where polrelid = ${escapeLiteral(table)}::regclass
        and polname = ${escapeLiteral(roles.agent)} and pg_get_expr(polqual, polrelid) like ${escapeLiteral(`%${groupId}%`)}) then
      ${executed(security)}
    end if; end $setup$`
}

function rightsInWorkspace({ roles }: SetupFacts): string[] {
  const agent = escapeIdentifier(roles.agent)
  const reader = escapeIdentifier(roles.reader)
  return [
    `grant usage, create on schema public to ${agent}`,
    `grant usage on schema public to ${reader}`,
    `grant select on all tables in schema public to ${reader}`,
    // What the agent creates, the reader reads.
    `alter default privileges for role ${agent} in schema public grant select on tables to ${reader}`,
    `alter default privileges for role ${agent} revoke execute on functions from public`,
    appliedTable('signalbox_migrations'),
    ...rightsOnApplied('signalbox_migrations', roles),
  ]
}

/** The agents may add to the list of migrations, and remove what is rolled back; no statement of theirs may, by policy. */
function rightsOnApplied(table: string, { agent, reader }: AgentRoles): string[] {
  return [
    `grant select, insert, delete on ${table} to ${escapeIdentifier(agent)}`,
    `grant select on ${table} to ${escapeIdentifier(reader)}`,
  ]
}
