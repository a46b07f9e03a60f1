/**
 * Relations that names or numbers lead to: through views and rules, to partitions and children, from partitions, indexes
 * and sequences to the tables that they belong to, and by foreign keys whose actions change other tables.
 *
 * `way` is what is done with it: `read`, `insert`, `update`, `delete`, `write` (anything else), `cascade` (by a foreign
 * key), `parent` (it is of that table), `check` (a foreign key only looks whether a row is there). A name without a schema
 * stands for every relation of the search path that has it; `place` says which of them comes first.
 */
export const reachQuery = `
  with recursive asked as (
    select way, schema, name, oid from unnest($1::text[], $2::text[], $3::text[], $4::oid[]) as asked(way, schema, name, oid)
  ), named as (
    select a.way, a.name as through, a.schema as asked_schema, c.oid, c.relkind,
      pg_catalog.array_position(current_schemas(true), n.nspname) as place
    from asked a
    join pg_catalog.pg_class c on c.relname = a.name or c.oid = a.oid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where a.oid is not null or n.nspname = a.schema or (a.schema is null and n.nspname = any(current_schemas(true)))
  ), reached as (
    select way, through, asked_schema, false as is_kin, false as is_behind, oid, relkind, place from named
    union
    select s.way, r.through, r.asked_schema, s.is_kin, s.is_behind, c.oid, c.relkind, r.place
    from reached r
    cross join lateral (
      select r.way, r.is_kin, true as is_behind, d.refobjid as oid
      from pg_catalog.pg_rewrite w
      join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
        and d.refclassid = 'pg_catalog.pg_class'::regclass
      where w.ev_class = r.oid and d.refobjid <> r.oid and r.way not in ('parent', 'check')
      union all
      select r.way, true, r.is_behind, i.inhrelid
      from pg_catalog.pg_inherits i where i.inhparent = r.oid and r.way not in ('parent', 'check')
      union all
      select 'parent', true, r.is_behind, i.inhparent
      from pg_catalog.pg_inherits i where i.inhrelid = r.oid and r.way <> 'check'
      union all
      select 'parent', true, r.is_behind, d.refobjid
      from pg_catalog.pg_depend d
      where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = r.oid and r.relkind in ('i', 'I', 'S')
        and d.refclassid = 'pg_catalog.pg_class'::regclass and d.deptype in ('a', 'i') and d.refobjid <> r.oid
      union all
      select case when r.way = 'write' or (r.way in ('delete', 'cascade') and k.confdeltype in ('c', 'n', 'd'))
          or (r.way in ('update', 'cascade') and k.confupdtype in ('c', 'n', 'd')) then 'cascade' else 'check' end,
        false, true, k.conrelid
      from pg_catalog.pg_constraint k
      where k.contype = 'f' and k.confrelid = r.oid and r.way in ('write', 'update', 'delete', 'cascade')
      union all
      select 'check', true, true, k.confrelid
      from pg_catalog.pg_constraint k
      where k.contype = 'f' and k.conrelid = r.oid and r.way in ('write', 'insert', 'update', 'cascade')
    ) s
    join pg_catalog.pg_class c on c.oid = s.oid
  )
  select r.way, r.through, r.asked_schema as "askedSchema", r.is_kin as "isKin", r.is_behind as "isBehind",
    r.place, r.oid::text as oid, n.nspname as schema, c.relname as name, r.relkind as kind
  from reached r
  join pg_catalog.pg_class c on c.oid = r.oid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where r.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')`

/**
 * Code of users: by name, with the functions that aggregates are made of ($1); of triggers on tables ($2); of casts ($3) and
 * operators ($4), which may run or not, for that depends on types.
 */
export const codeQuery = `
  select n.nspname as schema, p.proname as name, p.oid::text as oid,
    case when l.lanname in ('sql', 'plpgsql') and p.prokind in ('f', 'p')
      then pg_catalog.pg_get_functiondef(p.oid) end as definition,
    case when p.proname = any($1::text[]) or made.aggregate is not null then 'call'
      when p.proname = any($3::text[]) or p.oid in (
        select o.oprcode::oid from pg_catalog.pg_operator o where o.oprname = any($4::text[])) then 'maybe'
      else 'trigger' end as use, coalesce(made.aggregate, p.proname) as through
  from pg_catalog.pg_proc p
  join pg_catalog.pg_namespace n on n.oid = p.pronamespace
  join pg_catalog.pg_language l on l.oid = p.prolang
  left join lateral (
    select q.proname as aggregate
    from pg_catalog.pg_proc q join pg_catalog.pg_aggregate a on a.aggfnoid = q.oid
    where q.proname = any($1::text[]) and p.oid in (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn,
      a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
    limit 1
  ) made on true
  where l.lanname not in ('c', 'internal') and n.nspname not in ('pg_catalog', 'information_schema')
    and (p.proname = any($1::text[]) or made.aggregate is not null or p.proname = any($3::text[]) or p.oid in (
      select o.oprcode::oid from pg_catalog.pg_operator o where o.oprname = any($4::text[])) or p.oid in (
      select t.tgfoid from pg_catalog.pg_trigger t
      where t.tgrelid = any($2::oid[]) and not t.tgisinternal and t.tgenabled <> 'D'))`

/**
 * Columns of relations, and every column that their values may come from: the same column of partitions, which are read
 * with their table, and of parents, which give their mask to it; what foreign keys refer to, what generated columns are
 * calculated from, and the columns of the rows that it holds, also in arrays, domains and ranges, and of rows of views
 * (`type` is set while the way leads through types; those of PostgreSQL itself hold no rows). Each of these leads on, so a key to a key to a masked column is found. From a parent the way does not lead
 * down again: what is said of one partition says nothing of its siblings.
 */
export const columnsQuery = `
  with recursive own as (
    select a.attrelid as root, a.attname as name, a.attnum, a.atttypid
    from unnest($1::oid[]) o
    join pg_catalog.pg_attribute a on a.attrelid = o and a.attnum > 0 and not a.attisdropped
  ), found as (
    select root, attnum as own, root as oid, attnum, false as is_up, 0::oid as type from own
    union
    select f.root, f.own, s.oid, s.attnum, s.is_up, s.type
    from found f
    cross join lateral (
      select c.attrelid as oid, c.attnum, false as is_up, 0::oid as type
      from pg_catalog.pg_inherits i
      join pg_catalog.pg_attribute a on a.attrelid = f.oid and a.attnum = f.attnum
      join pg_catalog.pg_attribute c on c.attrelid = i.inhrelid and c.attname = a.attname
      where i.inhparent = f.oid and not f.is_up
      union all
      select c.attrelid, c.attnum, true, 0::oid
      from pg_catalog.pg_inherits i
      join pg_catalog.pg_attribute a on a.attrelid = f.oid and a.attnum = f.attnum
      join pg_catalog.pg_attribute c on c.attrelid = i.inhparent and c.attname = a.attname
      where i.inhrelid = f.oid and i.inhparent <> f.root
      union all
      select k.confrelid, pair.other, false, 0::oid
      from pg_catalog.pg_constraint k
      cross join lateral unnest(k.conkey, k.confkey) as pair(own, other)
      where k.contype = 'f' and k.conrelid = f.oid and pair.own = f.attnum
      union all
      select f.oid, d.refobjsubid::int2, false, 0::oid
      from pg_catalog.pg_attribute a
      join pg_catalog.pg_attrdef e on e.adrelid = a.attrelid and e.adnum = a.attnum
      join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_attrdef'::regclass and d.objid = e.oid
        and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = f.oid and d.refobjsubid > 0
        and d.refobjsubid <> a.attnum
      where a.attrelid = f.oid and a.attnum = f.attnum and a.attgenerated <> ''
      union all
      select 0::oid, 0::int2, false, a.atttypid
      from pg_catalog.pg_attribute a
      where a.attrelid = f.oid and a.attnum = f.attnum and a.atttypid >= 16384
      union all
      select 0::oid, 0::int2, false, part.oid
      from pg_catalog.pg_type t
      cross join lateral (
        values (t.typbasetype), (t.typelem)
        union all
        select r.rngsubtype from pg_catalog.pg_range r where t.oid in (r.rngtypid, r.rngmultitypid)
      ) as part(oid)
      where t.oid = f.type and part.oid >= 16384
      union all
      select a.attrelid, a.attnum, false, 0::oid
      from pg_catalog.pg_type t
      join pg_catalog.pg_attribute a on a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
      where t.oid = f.type and t.typrelid <> 0
      union all
      select a.attrelid, a.attnum, false, 0::oid
      from pg_catalog.pg_rewrite w
      join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
        and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid <> f.oid
      join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum > 0 and not a.attisdropped
        and (a.attnum = d.refobjsubid or w.ev_action::text ~ ':varattno 0 ')
      where w.ev_class = f.oid and w.rulename = '_RETURN' and f.oid <> f.root
    ) s
  )
  select f.root::text as root, f.oid = f.root and f.attnum = f.own as "isOwn", o.name, n.nspname as schema,
    c.relname as "table", b.attname as "column", pg_catalog.col_description(b.attrelid, b.attnum) as comment,
    t.typcategory = 'S' as "isText",
    pg_catalog.format_type(case t.typtype when 'd' then t.typbasetype else t.oid end, null) as type
  from found f
  join own o on o.root = f.root and o.attnum = f.own
  join pg_catalog.pg_attribute b on b.attrelid = f.oid and b.attnum = f.attnum
  join pg_catalog.pg_class c on c.oid = f.oid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_type t on t.oid = o.atttypid
  where not (f.is_up and f.oid = f.root)
  order by f.root, f.own`

/** What views take from columns. A row as a whole (attribute 0) is not among their dependencies. */
export const viewColumnsQuery = `
  select w.ev_class::text as view, d.refobjid::text as base, coalesce(a.attname, '*') as "column"
  from pg_catalog.pg_rewrite w
  join pg_catalog.pg_depend d on d.classid = 'pg_catalog.pg_rewrite'::regclass and d.objid = w.oid
    and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid <> w.ev_class
  left join pg_catalog.pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid and d.refobjsubid > 0
  where w.ev_class = any($1::oid[]) and (a.attname is not null or w.ev_action::text ~ ':varattno 0 ')`

/** Relations that this transaction has touched: PostgreSQL keeps its locks until the end. What it dropped has no name here. */
export const lockedQuery = `
  select l.relation::text as oid, n.nspname as schema, c.relname as name,
    pg_catalog.bool_and(l.mode = 'RowShareLock') as "isChecked"
  from pg_catalog.pg_locks l
  left join pg_catalog.pg_class c on c.oid = l.relation
  left join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where l.pid = pg_catalog.pg_backend_pid() and l.locktype = 'relation' and l.granted
    and (c.oid is null or c.relkind in ('r', 'p', 'v', 'm', 'f') and c.relname <> 'signalbox_migrations'
      and (n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') or c.relname ~ '^pg_stat(s|istic)'))
  group by 1, 2, 3`
