import { escapeIdentifier, escapeLiteral } from 'pg'
import type { Place } from './places.ts'
import { appliedTable } from '../migrate/applied.ts'
import { visibleTables, type AgentRoles } from './roles.ts'
import { scramVerifier } from './scram.ts'

export interface SetupFacts {
  place: Place
  /** The real name of the database, which may differ from the one that the proxy offers. */
  database: string
  roles: AgentRoles
  passwords: { reader: string; agent: string }
  /** Of the platform's database: whose rows the agents see. */
  groupId: string
  /** Connections that a role may hold: the pool and those that cancel. */
  connections: number
  /** Schemas of a foreign database that the agents may use. */
  schemas: readonly string[]
}

/** Every statement that the roles need, safe to repeat. Run by the superuser of the database, or by its administrator. */
export function setupScript(facts: SetupFacts): string[] {
  const { roles, passwords, connections } = facts
  return [
    ...loginRole(roles.reader, passwords.reader, connections, true),
    ...loginRole(roles.agent, passwords.agent, connections, false),
    `grant connect on database ${escapeIdentifier(facts.database)} to ${both(roles)}`,
    ...(facts.place.isOurs ? [...closedToOthers(facts), ...quiet(roles)] : []),
    ...rightsIn(facts),
    // Of the platform's own database our migrations created it.
    ...(facts.place.kind === 'platform' ? [] : [appliedTable]),
    `grant select, insert on ${facts.place.kind === 'platform' ? 'records.' : ''}signalbox_migrations to ${escapeIdentifier(roles.agent)}`,
    `grant select on ${facts.place.kind === 'platform' ? 'records.' : ''}signalbox_migrations to ${escapeIdentifier(roles.reader)}`,
  ]
}

const both = (roles: AgentRoles): string =>
  `${escapeIdentifier(roles.reader)}, ${escapeIdentifier(roles.agent)}`

function loginRole(name: string, password: string, connections: number, isReader: boolean): string[] {
  const role = escapeIdentifier(name)
  return [
    `do $$ begin create role ${role}; exception when duplicate_object then null; end $$`,
    `alter role ${role} login nosuperuser nocreatedb nocreaterole noinherit nobypassrls noreplication connection limit ${connections} password ${escapeLiteral(scramVerifier(password))}`,
    `alter role ${role} set default_transaction_read_only = ${isReader ? 'on' : 'off'}`,
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
function closedToOthers({ database }: SetupFacts): string[] {
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

function rightsIn(facts: SetupFacts): string[] {
  if (facts.place.kind === 'platform') return rightsInPlatform(facts)
  if (facts.place.kind === 'workspace') return rightsInWorkspace(facts)
  return facts.schemas.flatMap((schema) => rightsInSchema(facts.roles, schema))
}

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
  ]
}

function rightsInSchema(roles: AgentRoles, name: string): string[] {
  const schema = escapeIdentifier(name)
  const agent = escapeIdentifier(roles.agent)
  return [
    `grant usage on schema ${schema} to ${both(roles)}`,
    `grant select on all tables in schema ${schema} to ${both(roles)}`,
    `grant insert, update, delete on all tables in schema ${schema} to ${agent}`,
    `grant usage on all sequences in schema ${schema} to ${agent}`,
    `alter default privileges in schema ${schema} grant select on tables to ${both(roles)}`,
    `alter default privileges in schema ${schema} grant insert, update, delete on tables to ${agent}`,
    `alter default privileges for role ${agent} in schema ${schema} grant select on tables to ${escapeIdentifier(roles.reader)}`,
  ]
}
