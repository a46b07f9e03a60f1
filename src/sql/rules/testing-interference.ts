import type { SqlProduct } from '../testing-sql.ts'

/** A shop whose masked columns can be reached in every way that PostgreSQL has. */
export async function makeShop(it: SqlProduct): Promise<void> {
  await it.execute('select 1')
  await it.admin(`
    create domain mail as text check (value like '%@%');
    create type mood as enum ('sad', 'happy');
    create table people (id int primary key, name text, email text check (email like '%@%'), age int, moods mood[], data jsonb,
      short text generated always as (left(email, 3)) virtual, doubled int generated always as (age * 2) stored,
      unique (email));
    create table copies (id int primary key, was people, many people[]);
    create table plain (id int primary key, note text);
    create table logins (id int primary key, person int references people on delete cascade,
      email text references people (email) on update cascade);
    create table parts (id int, email text, kind int) partition by list (kind);
    create table parts_one partition of parts for values in (1);
    create table parts_two partition of parts for values in (2);
    create table owners (id int primary key, mail mail);
    create table heirs (extra text) inherits (owners);
    create table ranges (id int primary key, span int4range);
    create statistics people_stats (mcv) on email, age from people;
    create statistics people_expr on (lower(email)) from people;
    create schema other;
    create table other.people (id int, email text);
    create view v_copies as select id, (was).email as one from copies;
    create view v_statistic as select stanumbers1::text as numbers, stavalues1::text as one from pg_statistic;
    create view v_statistic_ext as select stxdmcv::text as one, stxdexpr::text as two from pg_statistic_ext_data;
    create view v_secured with (security_invoker) as select email as e from people;
    create view v_joined as select p.id, l.email as login from people p join logins l on l.person = p.id;
    create view v_using as select email from people join logins using (email);
    create view v_counted as select count(*) filter (where email like 'a%') as n from people;
    create view v_safe as select id, name from people;
    create view v_recursive as with recursive r as (select id, email from people union all
      select id + 100, email from r where id < 1) select id, email as e from r;
    create view v_rows as select to_jsonb(p) -> 'email' as e from people p;
    create view v_lateral as select x.e from people p, lateral (select p.email as e) x;
    create view v_sub as select (select max(email) from people) as e;
    create materialized view m_sub as select max(email::text) as e from people;
    create function deep() returns setof people language sql stable as 'select * from people';
    create function guess(text) returns bool language sql stable as 'select exists (select from people where email = $1)';
    create function first_of(p people) returns text language sql immutable as 'select p.email::text';
    create function cast_up() returns trigger language plpgsql as
      $$ begin perform (select email from people where id = 1)::regclass; return new; end $$;
    create trigger cast_up before insert on plain for each row when (new.id = 77) execute function cast_up();
    create function unread() returns trigger language plpgsql as
      $$ declare found text; begin execute 'select email from people where id = 1' into found;
        raise exception 'not %', found; end $$;
    create table quiet (id int primary key, note text);
    create trigger unread before insert on quiet for each row when (new.id = 78) execute function unread();
    create function swallow() returns trigger language plpgsql as
      $$ begin new.note := (select email from people where id = 1); return new; end $$;
    create trigger swallow before insert on plain for each row when (new.id = 79) execute function swallow();
    alter table people enable row level security;
    create policy everybody on people using (true);`)
  await setValues(it, 'first')
  await it.admin(`grant usage on schema other to public;
    grant all on all tables in schema public, other to public; grant execute on all functions in schema public to public`)
}

/** Other values in every masked column, and nothing else: the same rows, keys and sizes of tables. */
export async function setValues(it: SqlProduct, which: 'first' | 'second'): Promise<void> {
  const [one, two] =
    which === 'first' ? ['ann@hidden.example', 'bob@b.example'] : ['zoe@secret.test', 'al@x.y']
  const [young, old] = which === 'first' ? [4711, 12] : [8150, 9999]
  await it.admin(`
    delete from logins; delete from people; delete from copies; delete from parts; delete from owners;
    delete from ranges; delete from other.people; delete from plain;
    insert into people (id, name, email, age) values (1, 'Ann', '${one}', ${young}), (2, 'Bob', '${two}', ${old});
    insert into copies select 1, p, array[p] from people p where id = 1;
    insert into logins values (1, 1, '${one}');
    insert into parts values (1, '${one}', 1), (2, '${two}', 2);
    insert into owners values (1, '${one}'); insert into heirs values (2, '${two}', 'x');
    insert into ranges values (1, int4range(${young}, ${young} + 10));
    insert into other.people values (1, '${one}');
    insert into plain values (1, 'note');
    refresh materialized view m_sub; analyze`)
}
