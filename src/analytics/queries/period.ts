import { only, type Queryable } from './query.ts'

/** A period [from, to) and the one before it, of the same length on the clocks of the zone. */
export interface Period {
  from: Date
  to: Date
  previousFrom: Date
  previousTo: Date
  days: number
  tz: string
}

/**
 * Days of the zone up to now. The period before ends as long before its end, so that both have the same hours; where the
 * clocks left out that time, at the beginning of this one.
 */
export async function daysPeriod(db: Queryable, days: number, tz: string): Promise<Period> {
  const { rows } = await db.query<Omit<Period, 'days' | 'tz'>>(
    `with clock as (select now() at time zone $2 as now),
      bounds as (select date_trunc('day', now) - ($1::int - 1) * interval '1 day' as first, now from clock)
     select first at time zone $2 as "from", now at time zone $2 as "to",
       (first - $1::int * interval '1 day') at time zone $2 as "previousFrom",
       least((now - $1::int * interval '1 day') at time zone $2, first at time zone $2) as "previousTo"
     from bounds`,
    [days, tz],
  )
  return { ...only(rows), days, tz }
}

/**
 * From and to are dates, which count whole, or times. A period does not reach into the future: today is its
 * last day. With two dates the period before has as many days; with times it is as long.
 */
export async function rangePeriod(db: Queryable, from: string, to: string, tz: string): Promise<Period> {
  const [isFromDate, isToDate] = [isDate(from), isDate(to)]
  const { rows } = await db.query<Omit<Period, 'tz'>>(
    `with given as (
       select case when $3 then $1::text::timestamp at time zone $5 else $1::text::timestamptz end as first,
         case when $4 then ($2::text::timestamp + interval '1 day') at time zone $5 else $2::text::timestamptz end as last,
         case when $3 and $4 then least($2::text::date, (now() at time zone $5)::date) - $1::text::date + 1 end as days
     ), bounds as (
       select first, least(last, now()) as last, days, coalesce(days * interval '1 day', least(last, now()) - first) as long
       from given
     )
     select first as "from", last as "to",
       case when days is null then first - long else (first at time zone $5 - long) at time zone $5 end as "previousFrom",
       case when days is null then first else least((last at time zone $5 - long) at time zone $5, first) end
         as "previousTo",
       coalesce(days, extract(epoch from last - first) / 86400)::float8 as days
     from bounds`,
    [from, to, isFromDate, isToDate, tz],
  )
  return { ...only(rows), tz }
}

export const isDate = (text: string): boolean => text.length === 10
