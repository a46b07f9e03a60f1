import { escapeIdentifier, escapeLiteral } from 'pg'
import { appliedTable } from '../migrate/applied.ts'
import type { SetupFacts } from './setup-facts.ts'

/*
 * A database that is not ours. Only its owner may change a table, so tables of the schemas get a group role as their
 * owner, of which both the agents and the former owners are members. decisions/023 says why.
 */

const listed = (values: readonly string[]): string =>
  `array[${values.map((value) => escapeLiteral(value)).join(', ')}]`

/** Tables, sequences and types that agents may change. Views and functions keep their owners, whose rights they use. */
function objectsIn({ schemas, roles }: SetupFacts): string {
  return `select format('%s %I.%I', case when c.relkind = 'S' then 'sequence' else 'table' end, n.nspname, c.relname) as object,
      pg_get_userbyid(c.relowner) as owner
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (${listed(schemas)}) and c.relkind in ('r', 'p', 'S') and c.relname <> 'signalbox_migrations'
      and pg_get_userbyid(c.relowner) <> ${escapeLiteral(roles.owner)}
      -- What belongs to an extension stays with it; the sequence of a column follows its table.
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
        and (d.deptype = 'e' or c.relkind = 'S' and d.deptype in ('a', 'i')))
    union all
    select format('type %I.%I', n.nspname, t.typname), pg_get_userbyid(t.typowner)
    from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where n.nspname = any (${listed(schemas)}) and t.typtype in ('e', 'd')
      and pg_get_userbyid(t.typowner) <> ${escapeLiteral(roles.owner)}
      and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')`
}

/** The group role and its members: the agents' role, the former owners, and the login that runs this. */
export function ownerRole(facts: SetupFacts): string[] {
  const { roles, schemas } = facts
  const owner = escapeIdentifier(roles.owner)
  const path = [...new Set([...schemas, 'public'])].map((name) => escapeIdentifier(name)).join(', ')
  return [
    ...[roles.reader, roles.agent].map(
      (role) =>
        `alter role ${escapeIdentifier(role)} in database ${escapeIdentifier(facts.database)} set search_path = ${path}`,
    ),
    `do $$ begin create role ${owner} nologin; exception when duplicate_object then null; end $$`,
    `do $setup$
declare
  -- Without them PostgreSQL 16 and newer gives the creator of a role no use of it.
  options text := case when current_setting('server_version_num')::int >= 160000 then ' with inherit true, set true' else '' end;
  member name;
begin
  select rolname into member from pg_roles where rolname in (${Object.values(roles)
    .map((role) => escapeLiteral(role))
    .join(', ')})
    and (rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls);
  if found then
    raise exception 'The role % exists already and has rights that agents must not have. Rename or drop it first.', member;
  end if;
  alter role ${escapeIdentifier(roles.agent)} inherit;
  for member in
    select ${escapeLiteral(roles.agent)} union select current_user union select owner from (${objectsIn(facts)}) objects
  loop
    continue when pg_has_role(member, ${escapeLiteral(roles.owner)}, 'usage') or member like 'pg\\_%';
    execute format('grant ${owner.replaceAll('%', '%%')} to %I', member) || options;
    if not pg_has_role(member, ${escapeLiteral(roles.owner)}, 'usage') then
      raise exception 'The role % does not inherit rights, so it would lose its tables. First run: ALTER ROLE % INHERIT', member, quote_ident(member);
    end if;
  end loop;
end $setup$`,
  ]
}

/** Ownership and rights. Run by the administrator, or by the owner of the tables where the administrator may not. */
export function foreignRights(facts: SetupFacts): string[] {
  const { roles, schemas } = facts
  const [owner, reader] = [escapeIdentifier(roles.owner), escapeIdentifier(roles.reader)]
  const list = `${escapeIdentifier(schemas[0] ?? 'public')}.signalbox_migrations`
  return [
    ...schemas.flatMap((schema) => [
      `grant usage, create on schema ${escapeIdentifier(schema)} to ${owner}`,
      `grant usage on schema ${escapeIdentifier(schema)} to ${reader}`,
    ]),
    changeOwners(facts),
    ...schemas.flatMap((schema) => [
      `alter default privileges for role ${owner} in schema ${escapeIdentifier(schema)} grant select on tables to ${reader}`,
      `alter default privileges for role ${owner} in schema ${escapeIdentifier(schema)} grant select on sequences to ${reader}`,
    ]),
    appliedTable(list),
    `grant select, insert, delete on ${list} to ${owner}`,
    `grant select on ${list} to ${reader}`,
  ]
}

function changeOwners(facts: SetupFacts): string {
  const { roles, schemas } = facts
  const [owner, reader] = [escapeIdentifier(roles.owner), escapeIdentifier(roles.reader)].map((name) =>
    name.replaceAll('%', '%%'),
  )
  return `do $setup$
declare
  one record;
  name text;
  borrowed name[] := '{}';
begin
  -- GRANT only warns where the login may not grant.
  foreach name in array ${listed(schemas)} loop
    if not has_schema_privilege(${escapeLiteral(roles.owner)}, name, 'create') then
      raise exception 'The login % may not give rights on the schema %. Its owner can: %', current_user, name,
        (select pg_get_userbyid(nspowner) from pg_namespace where nspname = name) using errcode = '42501';
    end if;
  end loop;
  for one in select owner, min(object) as example from (${objectsIn(facts)}) objects group by owner loop
    if not pg_has_role(one.owner, 'usage') then
      begin
        execute format('grant %I to %I', one.owner, current_user);
        borrowed := borrowed || one.owner;
      exception when insufficient_privilege then
        raise exception 'The % belongs to the role %, whose rights the login % does not have. Run the set-up as %, or first run: GRANT % TO %',
          one.example, one.owner, current_user, one.owner, quote_ident(one.owner), quote_ident(current_user) using errcode = '42501';
      end;
    end if;
    -- Tables that the former owner creates later can be read and written at once; a new set-up takes them over.
    foreach name in array ${listed(schemas)} loop
      execute format('alter default privileges for role %I in schema %I grant select on tables to ${owner}, ${reader}', one.owner, name);
      execute format('alter default privileges for role %I in schema %I grant insert, update, delete on tables to ${owner}', one.owner, name);
      execute format('alter default privileges for role %I in schema %I grant usage on sequences to ${owner}', one.owner, name);
    end loop;
  end loop;
  for one in ${objectsIn(facts)} loop
    execute format('alter %s owner to ${owner}', one.object);
  end loop;
  for one in select format('%I.%I', n.nspname, c.relname) as relation, c.relkind in ('v', 'm') as is_view
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (${listed(schemas)}) and c.relkind in ('r', 'p', 'v', 'm') and c.relname <> 'signalbox_migrations'
  loop
    begin
      execute format('grant select on %s to ${reader}, ${owner}', one.relation);
      if one.is_view then
        execute format('grant insert, update, delete on %s to ${owner}', one.relation);
      end if;
    exception when insufficient_privilege then
      raise notice 'agents cannot use %, which belongs to another role', one.relation;
    end;
  end loop;
  foreach name in array borrowed loop
    execute format('revoke %I from %I', name, current_user);
  end loop;
end $setup$`
}
