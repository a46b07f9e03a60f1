/**
 * What the tree of a database is read from: catalogs only, never a table. Asked as the reader, and only for what the
 * reader may read: catalogs name everything to everybody.
 */

/** Sizes and the conditions of indexes need a lock, which would wait behind a change of the table. */
const locked = `locked as materialized (
    select coalesce(i.indrelid, l.relation) as oid
    from pg_locks l left join pg_index i on i.indexrelid = l.relation
    where l.mode = 'AccessExclusiveLock' and l.relation is not null
  )`

/** An estimate would count rows that row security hides. */
export const relationQuery = `
  with ${locked}, relations as materialized (
    select c.oid, n.nspname, c.relname, c.relkind, c.reltuples, c.relrowsecurity
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
      and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      and has_schema_privilege(n.oid, 'usage')
      and (has_table_privilege(c.oid, 'select') or has_any_column_privilege(c.oid, 'select'))
    order by n.nspname, c.relname limit $1
  )
  select oid::int8::text as oid, nspname::text as schema, relname::text as name,
    case relkind when 'v' then 'view' when 'm' then 'materialized_view' when 'f' then 'foreign_table' else 'table' end as kind,
    case when reltuples >= 0 and relkind in ('r', 'p', 'm') and not relrowsecurity then reltuples::float8 end as rows_estimate,
    case when relrowsecurity or oid in (select oid from locked) then null
      when relkind in ('r', 'm') then pg_total_relation_size(oid)::float8
      when relkind = 'p' then (select sum(pg_total_relation_size(relid))::float8 from pg_partition_tree(relations.oid)
        where relid not in (select oid from locked)) end as bytes
  from relations order by nspname, relname`

const asked = `unnest($1::oid[]) with ordinality as asked (relation, place)`

export const columnQuery = `
  select asked.relation::int8::text as oid, a.attname::text as name,
    format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as is_nullable
  from ${asked} join pg_attribute a on a.attrelid = asked.relation
  where a.attnum > 0 and not a.attisdropped and has_column_privilege(asked.relation, a.attnum, 'select')
  order by asked.place, a.attnum limit $2`

const namesOf = (relation: string, numbers: string): string => `array(
    select a.attname::text from unnest(${numbers}) with ordinality as part (number, place)
    join pg_attribute a on a.attrelid = ${relation} and a.attnum = part.number order by part.place)`

export const keyQuery = `
  select asked.relation::int8::text as oid, k.conname::text as name,
    case k.contype when 'p' then 'primary' when 'u' then 'unique' else 'foreign' end as kind,
    ${namesOf('k.conrelid', 'k.conkey')} as columns,
    n.nspname::text as to_schema, f.relname::text as to_name,
    ${namesOf('k.confrelid', 'k.confkey')} as to_columns
  from ${asked} join pg_constraint k on k.conrelid = asked.relation
    left join pg_class f on f.oid = k.confrelid left join pg_namespace n on n.oid = f.relnamespace
  where k.contype in ('p', 'u', 'f')
  order by asked.place, array_position(array['p', 'u', 'f'], k.contype::text), k.conname limit $2`

export const indexQuery = `
  with ${locked}
  select asked.relation::int8::text as oid, c.relname::text as name, i.indisunique as is_unique,
    left(pg_get_indexdef(i.indexrelid), 1000) as definition
  from ${asked} join pg_index i on i.indrelid = asked.relation join pg_class c on c.oid = i.indexrelid
  where asked.relation not in (select oid from locked)
  order by asked.place, c.relname limit $2`
