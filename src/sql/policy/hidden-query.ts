/**
 * PostgreSQL keeps no dependencies on what it has itself, so its functions and catalogs are read from the stored
 * trees of views, rules and checks, which name them by their numbers.
 */
const numbersIn = (tree: string, fields: string): string =>
  `(select m[2]::oid as oid from pg_catalog.regexp_matches(${tree}::text, ':(${fields}) ([0-9]+)', 'g') m where m[2] <> '0')`

const calledIn = (tree: string): string => numbersIn(tree, 'funcid|opfuncid|aggfnoid|winfnoid')

/** Relations that the names lead to: through views, rules for writes (targets of writes only) and partitions. */
const relations = `
  select v.way, v.name as through, c.oid, c.relkind, c.relname, c.relnamespace, c.reltype
  from visible v
  join pg_catalog.pg_class c on c.relname = v.name and c.relnamespace = v.namespace
  where v.way in ('relation', 'target')
  union
  select r.way, r.through, c.oid, c.relkind, c.relname, c.relnamespace, c.reltype
  from relations r
  join lateral (
    select t.oid
    from pg_catalog.pg_rewrite w, lateral ${numbersIn('w.ev_action', 'relid')} t
    where w.ev_class = r.oid and (w.ev_type = '1' or r.way = 'target')
    union
    select i.inhrelid from pg_catalog.pg_inherits i where i.inhparent = r.oid
  ) next on true
  join pg_catalog.pg_class c on c.oid = next.oid`

/** Types that the names lead to: elements of arrays, bases of domains, columns of rows, bounds of ranges. */
const types = `
  select v.way, v.name as through, t.oid, t.typtype, t.typbasetype, t.typelem, t.typrelid
  from visible v
  join pg_catalog.pg_type t on t.typname = v.name and t.typnamespace = v.namespace
  where v.way = 'type'
  union
  select r.way, r.through, t.oid, t.typtype, t.typbasetype, t.typelem, t.typrelid
  from relations r
  join pg_catalog.pg_rewrite w on w.ev_class = r.oid and (w.ev_type = '1' or r.way = 'target')
  join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
    and d.refclassid = 'pg_catalog.pg_type'::regclass
  join pg_catalog.pg_type t on t.oid = d.refobjid
  union
  select 'relation', r.through, t.oid, t.typtype, t.typbasetype, t.typelem, t.typrelid
  from relations r
  join pg_catalog.pg_type t on t.oid = r.reltype
  where r.way = 'relation'
  union
  select o.way, o.through, t.oid, t.typtype, t.typbasetype, t.typelem, t.typrelid
  from types o
  cross join lateral (
    select o.typbasetype as oid
    union all select o.typelem
    union all select a.atttypid from pg_catalog.pg_attribute a where a.attrelid = o.typrelid and a.attnum > 0
    union all select g.rngsubtype from pg_catalog.pg_range g where o.oid in (g.rngtypid, g.rngmultitypid)
  ) part
  join pg_catalog.pg_type t on t.oid = part.oid`

/** Functions behind all of these. */
const functions = `
  select r.way, r.through, t.oid
  from relations r
  join pg_catalog.pg_rewrite w on w.ev_class = r.oid and (w.ev_type = '1' or r.way = 'target')
  cross join lateral (
    select oid from ${calledIn('w.ev_action')} action
    union all select oid from ${calledIn('w.ev_qual')} condition
    union all
    select coalesce(o.oprcode::oid, d.refobjid)
    from pg_catalog.pg_depend d
    left join pg_catalog.pg_operator o on d.refclassid = 'pg_catalog.pg_operator'::regclass and o.oid = d.refobjid
    where d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
      and d.refclassid in ('pg_catalog.pg_proc'::regclass, 'pg_catalog.pg_operator'::regclass)
  ) t
  union
  select o.way, o.through, t.oid
  from types o
  join pg_catalog.pg_constraint k on k.contypid = o.oid
  cross join lateral ${calledIn('k.conbin')} t
  union
  select 'operator', v.name, o.oprcode::oid
  from visible v
  join pg_catalog.pg_operator o on o.oprname = v.name and o.oprnamespace = v.namespace
  where v.way = 'operator' and (v.is_qualified or not exists (
    select from pg_catalog.pg_operator p where p.oprname = v.name and p.oprnamespace = 'pg_catalog'::regnamespace))
  union
  select 'attribute', v.name, p.oid
  from visible v
  join pg_catalog.pg_proc p on p.proname = v.name and p.pronamespace = v.namespace
  join pg_catalog.pg_type t on t.oid = p.proargtypes[0]
  where v.way = 'attribute' and (t.typtype in ('c', 'p', 'd') or exists (
    select from pg_catalog.pg_cast k join pg_catalog.pg_type s on s.oid = k.castsource
    where k.casttarget = t.oid and k.castcontext = 'i' and s.typtype = 'c'))
  union
  select case k.castcontext when 'e' then 'cast' else 'implicit cast' end, coalesce(o.through, pg_catalog.format_type(k.casttarget, null)), k.castfunc::oid
  from pg_catalog.pg_cast k
  left join types o on o.oid = k.casttarget
  where k.castfunc::oid >= 16384 and (k.castcontext <> 'e' or o.oid is not null)`

/**
 * What names lead to without a call in the text: through views, rules, partitions, operators, domains, rows, casts and
 * the notation `row.function`. Names without a schema are looked for in the search path; an operator that PostgreSQL has
 * too is then taken for its own, for which of them is meant depends on types.
 *
 * `reach`: `function`, `cast` (which may be used or not: that depends on types), `foreign` (a table of another server),
 * `rule` (a target with rules for writes), `catalog` (a target that leads to a system table or to the list of
 * migrations).
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
  ), relations as (${relations}
  ), types as (${types}
  ), functions as (${functions}
  )
  select case when f.way in ('cast', 'implicit cast') then 'cast' else 'function' end as reach, f.way, f.through, n.nspname as schema,
    p.proname as name, p.provolatile as volatility, p.prosecdef as "isSecurityDefiner", l.lanname as language,
    case when p.provolatile = 'v' and p.prokind = 'f' and l.lanname in ('sql', 'plpgsql') and not p.prosecdef
      then pg_catalog.pg_get_functiondef(p.oid) end as definition
  from functions f
  join pg_catalog.pg_proc p on p.oid = f.oid
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_language l on l.oid = p.prolang
  union
  select 'foreign', r.way, r.through, null, null, null, null, null, null
  from relations r
  where r.relkind = 'f'
  union
  select 'rule', r.way, r.through, null, null, null, null, null, null
  from relations r
  where r.way = 'target' and exists (
    select from pg_catalog.pg_rewrite w where w.ev_class = r.oid and w.ev_type <> '1')
  union
  select 'catalog', r.way, r.through, null, null, null, null, null, null
  from relations r
  where r.way = 'target' and (r.relname = 'signalbox_migrations'
    or r.relnamespace in (select oid from pg_catalog.pg_namespace where nspname in ('pg_catalog', 'information_schema')))`
