/**
 * Functions by name, in every schema. An aggregate is as volatile as the functions it is made of, and written in
 * their language: its own label says nothing. The definition is that of code which may be pure.
 */
export const functionsQuery = `
  select n.nspname as schema, p.proname as name, p.prosecdef as "isSecurityDefiner",
    case when parts.is_volatile then 'v' else p.provolatile end as volatility,
    coalesce(parts.language, l.lanname) as language,
    n.nspname = any(current_schemas(true)) as "isVisible",
    case when p.provolatile <> 'v' and p.prokind = 'f' and n.nspname <> 'pg_catalog'
        and l.lanname in ('sql', 'plpgsql') and not p.prosecdef
      then pg_catalog.pg_get_functiondef(p.oid) end as definition
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_language l on l.oid = p.prolang
  left join lateral (
    select bool_or(f.provolatile = 'v') as is_volatile,
      max(k.lanname) filter (where k.lanname not in ('c', 'internal')) as language
    from pg_catalog.pg_aggregate a
    join pg_catalog.pg_proc f on f.oid in (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn,
      a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
    join pg_catalog.pg_language k on k.oid = f.prolang
    where a.aggfnoid = p.oid
  ) parts on p.prokind = 'a'
  where p.proname = any($1::text[])`

/**
 * Functions and foreign tables that names lead to: through views, rules, partitions, operators, checks of domains,
 * and the notation `row.function`. Rules for writes count for targets of writes only. Names without a schema are
 * looked for in the search path; an operator that PostgreSQL has too is then taken for its own, for which of them is
 * meant depends on types. PostgreSQL keeps no dependencies on its own functions, so those do not show up.
 */
export const hiddenQuery = `
  with recursive asked as (
    select way, schema, name
    from unnest($1::text[], $2::text[], $3::text[]) as asked(way, schema, name)
  ), visible as (
    select a.way, a.name, n.oid as namespace, a.schema is not null as is_qualified
    from asked a
    join pg_catalog.pg_namespace n
      on n.nspname = a.schema or (a.schema is null and n.nspname = any(current_schemas(true)))
    where n.nspname <> 'pg_catalog'
  ), relations as (
    select v.way, v.name as through, c.oid, c.relkind
    from visible v
    join pg_catalog.pg_class c on c.relname = v.name and c.relnamespace = v.namespace
    where v.way in ('relation', 'target')
    union
    select r.way, r.through, c.oid, c.relkind
    from relations r
    join lateral (
      select d.refobjid as oid
      from pg_catalog.pg_rewrite w
      join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
      where w.ev_class = r.oid and (w.ev_type = '1' or r.way = 'target') and d.refclassid = 'pg_catalog.pg_class'::regclass
      union
      select i.inhrelid from pg_catalog.pg_inherits i where i.inhparent = r.oid
    ) next on true
    join pg_catalog.pg_class c on c.oid = next.oid
  ), domains as (
    select v.name as through, t.oid, t.typbasetype
    from visible v
    join pg_catalog.pg_type t on t.typname = v.name and t.typnamespace = v.namespace and t.typtype = 'd'
    where v.way = 'type'
    union
    select d.through, t.oid, t.typbasetype
    from domains d
    join pg_catalog.pg_type t on t.oid = d.typbasetype and t.typtype = 'd'
  ), called as (
    select r.way, r.through, d.refclassid, d.refobjid
    from relations r
    join pg_catalog.pg_rewrite w on w.ev_class = r.oid and (w.ev_type = '1' or r.way = 'target')
    join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
    union
    select 'type', o.through, d.refclassid, d.refobjid
    from domains o
    join pg_catalog.pg_constraint k on k.contypid = o.oid
    join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_constraint'::regclass and d.objid = k.oid
    union
    select 'operator', v.name, 'pg_catalog.pg_operator'::regclass, o.oid
    from visible v
    join pg_catalog.pg_operator o on o.oprname = v.name and o.oprnamespace = v.namespace
    where v.way = 'operator' and (v.is_qualified or not exists (
      select from pg_catalog.pg_operator p where p.oprname = v.name and p.oprnamespace = 'pg_catalog'::regnamespace))
    union
    select 'attribute', v.name, 'pg_catalog.pg_proc'::regclass, p.oid
    from visible v
    join pg_catalog.pg_proc p on p.proname = v.name and p.pronamespace = v.namespace
    join pg_catalog.pg_type t on t.oid = p.proargtypes[0] and t.typtype = 'c'
    where v.way = 'attribute'
  ), functions as (
    select c.way, c.through, coalesce(o.oprcode::oid, c.refobjid) as oid
    from called c
    left join pg_catalog.pg_operator o
      on c.refclassid = 'pg_catalog.pg_operator'::regclass and o.oid = c.refobjid
    where c.refclassid in ('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_operator'::regclass)
  )
  select f.way, f.through, false as "isForeign", n.nspname as schema, p.proname as name,
    p.provolatile as volatility, p.prosecdef as "isSecurityDefiner", l.lanname as language
  from functions f
  join pg_catalog.pg_proc p on p.oid = f.oid
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_language l on l.oid = p.prolang
  union
  select r.way, r.through, true, null, null, null, null, null
  from relations r
  where r.relkind = 'f'`
