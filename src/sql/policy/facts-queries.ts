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
