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

/** They are tried, so that nothing of them stays. */
export const writes: string[] = [
  `insert into plain values (2, (select email from people where id = 1))`,
  `insert into plain (id, note) select id + 10, email from people`,
  `insert into plain (id, note) select j.c, j.d from (people cross join (select 1 as one) s) as j(c, x, d)`,
  `insert into plain (id, note) select x.a, x.b from people as x(a, y, b)`,
  `insert into plain (id, note) select r.a, r.b from (table people) as r(a, y, b)`,
  `insert into plain (id, note) with c(a, y, b) as (table people) select a, b from c`,
  `insert into plain (id, note) with c(a, y, b) as (select * from people) select a, b from c`,
  `insert into plain (id, note) select 90, p::text from people p`,
  `insert into plain (id, note) select 90, (p).email from people p`,
  `insert into plain (id, note) select 90, email(p) from people p`,
  `insert into plain (id, note) select 90, first_of(p) from people p`,
  `insert into plain (id, note) select 90, p.first_of from people p`,
  `insert into plain (id, note) select 90, jsonb_agg(p)::text from people p`,
  `insert into plain (id, note) select 90, xmlforest(p as x)::text from people p`,
  `insert into plain (id, note) select 90, string_agg(short, ',') from people`,
  `insert into plain (id, note) select 90, string_agg(doubled::text, ',') from people`,
  `insert into plain (id, note) select 90, email from logins`,
  `insert into plain (id, note) select 90, (was).email from copies`,
  `insert into plain (id, note) select 90, was::text from copies`,
  `insert into plain (id, note) select 90, (many[1]).email from copies`,
  `insert into plain (id, note) select 90, d.email from deep() d`,
  `insert into plain (id, note) select 91, 'x' where guess('ann@hidden.example')`,
  `insert into plain values (77, 'x')`,
  `insert into quiet values (78, 'x')`,
  `insert into plain values (79, 'x') returning *`,
  `insert into people (id, email) values (9, 'ann@hidden.example')`.replace(
    'ann@hidden.example',
    'new@x.example',
  ),
  `insert into people (id, email, age) values (9, 'nomail', 3)`,
  `insert into people (id, name) values (1, 'x') on conflict (id) do update set name = people.email`,
  `insert into people (id, name) values (1, 'x') on conflict (id) do update set name = 'y' where people.age > 100`,
  `insert into people (id, name) values (1, 'x') on conflict (id) do update set name = 'y' where people is not null`,
  `insert into people (id, name) values (1, 'x') on conflict (id) do update set name = 'y' returning old.email`,
  `insert into people (id, name) values (1, 'x') on conflict (id) do update set name = 'y' returning people.*`,
  `update people set name = 'x' where age > 100`,
  `update people set name = 'x' where (id, email) = (1, 'ann@x')`,
  `update people set name = 'x' where (people.*) is distinct from null`,
  `update people set name = 'x' where people = people`,
  `update people set name = short where id = 1`,
  `update people set name = 'x' where doubled > 100`,
  `update people set age = age + 1`,
  `update people set (name, age) = (email, 1)`,
  `update people set name = 'x' where id = 1 returning short`,
  `update people set name = 'x' where id = 1 returning name, people`,
  `update people set name = 'x' where id = 1 returning with (old as o, new as n) n`,
  `update people set name = 'x' where id = 1 returning with (old as o, new as n) o.short`,
  `update people p set name = 'x' from people q where q.id = p.id and q.email like 'a%'`,
  `update people p set name = q.b from (select * from people) as q(a, y, b) where q.a = p.id`,
  `update plain set note = j.c from (people join owners using (id)) as j(a, b, c) where j.a = plain.id`,
  `update plain set note = o.mail from owners o`,
  `update plain set note = (select short from people where id = 1)`,
  `update plain set note = (select string_agg(x::text, ',') from (select email from people) as t(x))`,
  `update plain set note = (select e from v_secured limit 1)`,
  `update plain set note = (select login from v_joined limit 1)`,
  `update plain set note = 'x' where exists (select from people natural join logins)`,
  `update plain set note = 'x' where exists (select from people join logins using (email, id))`,
  `update plain set note = 'x' where exists (select from people p join logins l on p = p)`,
  `update v_secured set e = 'x@y'`,
  `update v_safe set name = 'x' where id = 1`,
  `update parts_one set id = 2 where email like 'a%'`,
  `update heirs set extra = mail`,
  `delete from people where age = 4711`,
  `delete from people where id = 1 returning email`,
  `delete from plain using people where people.email like 'a%' and plain.id = people.id`,
  `delete from people where row(people.*) = row(1)`,
  `delete from people where (select bool_or(q like '(1,Ann,a%') from (select people::text) as t(q))`,
  `merge into plain t using people p on p.id = t.id when matched then update set note = p.email`,
  `merge into plain t using people p on p.id = t.id when matched and p.age > 100 then delete`,
  `merge into plain t using (select * from people) as p(a, y, b) on p.a = t.id when matched then update set note = p.b`,
  `merge into plain t using people as p(a, y, b) on p.a = t.id when matched then update set note = p.b`,
  `merge into people t using plain p on p.id = t.id when matched then update set name = t.email`,
  `merge into people t using plain p on p.id = t.id when matched then update set name = 'x' returning t.*`,
  `merge into people t using plain p on p.id = t.id when matched then update set name = 'x' returning old`,
  `merge into people t using plain p on t.age = 4711 when not matched by source then delete`,
  `select id into kept from people where email like 'a%'`,
  `create table kept as table people`,
  `create table kept as select p from people p`,
  `create table kept as select * from deep()`,
  `create table kept as select many from copies`,
  `create table kept as select was from copies`,
  `create table kept (like people including all)`,
  `create table kept () inherits (people)`,
  `create table kept partition of parts for values in (3)`,
  `create table kept (p people)`,
  `create index on people ((email || 'x'))`,
  `create index on people (age) where age > 100`,
  `create unique index on people (name, (people.email is null))`,
  `create index on copies ((was))`,
  `alter table people add column e2 text generated always as (email) virtual`,
  `alter table people add constraint c check (age < 5000)`,
  `alter table people add constraint c check (people is not null)`,
  `alter table people add constraint c check (short <> 'ann')`,
  `alter table people add constraint c exclude (email with =)`,
  `alter table people add constraint c unique (short)`,
  `alter table people add column e2 text default guess('ann@hidden.example')::text`,
  `alter table people alter column doubled drop expression`,
  `alter table people alter column doubled set expression as (id)`,
  `alter table people alter column name type text using email`,
  `alter table people disable row level security`,
  `alter table people alter column email set statistics 1000`,
  `alter table plain add constraint c foreign key (note) references people (email)`,
  `alter table logins drop constraint logins_email_fkey`,
  `alter table copies add column e text generated always as ((was).email) stored`,
  `alter table copies alter column was type text using was::text`,
  `alter table parts detach partition parts_one`,
  `alter table heirs no inherit owners`,
  `create view kept as select (was).email from copies`,
  `create view kept as select * from v_safe join people using (id)`,
  `create function kept(p people) returns text language sql stable as 'select $1.email::text'`,
  `create function kept() returns text language plpgsql stable as $$ declare p people; begin select * into p from people; return p.email; end $$`,
  `create function kept() returns setof people begin atomic select * from people; end`,
  `create trigger kept before update on people for each row execute function swallow()`,
  `create policy kept on people for select using (email like 'a%')`,
  `create policy kept on plain for select using (exists (select from people where age > 100))`,
  `create statistics kept on age, name from people`,
  `create publication kept for table people`,
  `create publication kept for all tables`,
  `do $$ begin perform email from people; end $$`,
  `do $$ declare p people; begin select * into p from people limit 1; raise exception '%', p; end $$`,
  `do $$ begin raise exception '%', (select e from v_sub); end $$`,
  `refresh materialized view m_sub`,
  `comment on column people.email is 'x'`,
]

const reads: string[] = [
  'select * from people order by id',
  'table people',
  'select email, age from people where age between 1 and 5000 order by age',
  'select count(*) from people where short = $$ann$$',
  'select short, doubled from people order by doubled',
  'select sum(doubled), avg(age), max(email), array_agg(email order by email) from people',
  'select p, p::text, (p).email, row_to_json(p), to_jsonb(p) from people p',
  'select p.* from people p order by p',
  'select p is null, p = p, p < row(1, $$Ann$$, $$b$$, 1, null, null, null, null)::people from people p',
  'select people from people',
  'select (people).* from people',
  'select email(p) from people p',
  'select p.email(p) from people p',
  'select first_of(p) from people p',
  'select p.first_of from people p',
  'select first_of(row(p.*)::people) from people p',
  'select jsonb_populate_record(null::people, to_jsonb(p)) from people p',
  'select json_object_agg(id, email) from people',
  'select xmlforest(email), xmlelement(name a, p) from people p',
  'select json_object($$a$$: email), json_array(select email from people) from people',
  'select * from json_table((select jsonb_agg(p) from people p), $$$[*]$$ columns (email text))',
  'select percentile_disc(0.5) within group (order by age), mode() within group (order by email) from people',
  'select id, rank() over (order by email), lag(email) over (order by id) from people',
  'select distinct email from people',
  'select email, count(*) from people group by email',
  'select count(*) from people group by grouping sets ((email), (age), ())',
  'select id from people where ctid is not null',
  'select xmin, tableoid::regclass from people',
  'select id from people order by email limit 1',
  'select id from people where email = any(array[$$ann@hidden.example$$, $$zoe@secret.test$$])',
  'select id from people where email in (select email from logins)',
  'select * from people natural join logins',
  'select * from people join logins using (email)',
  'select j.c from (people join owners using (id)) as j(a, b, c)',
  'select x.c from people as x(a, b, c)',
  'select * from people p, lateral (select p.email as e) l',
  'select * from people p left join lateral (select q.email from people q where q.id = p.id) l on true',
  'with c as (select * from people) select * from c',
  'with c(a, b, d) as (table people) select a, d from c',
  'with people as (select 1 as id) select * from people, public.people q',
  'with other as (with people as (select 1 as email) select * from people) select * from other, people',
  'with a as (with people as (select 1 as email) select * from people), b as (select * from people) select * from b',
  'with recursive people as (select 1 as n union all select n + 1 from people where n < 3) select * from people',
  'with recursive r as (select id, email from people union all select id + 1, email from r where id < 5) select * from r',
  'with r as materialized (select email from people) select upper(email) from r',
  'select * from (with people as (select email from public.people) select * from people) x',
  'select email from people union select note from plain',
  'select email from people except select email from logins',
  'select (select email from people where id = 1), exists (select from people where age > 100)',
  'select case when (select age from people where id = 1) > 100 then 1 / 0 end',
  'select 1 / (age - 4711) from people',
  'select email::int from people',
  'select email::regclass from people',
  'select ($$x$$ || email)::date from people',
  'select cast(email as point) from people',
  'values ((select email from people limit 1))',
  'select * from only people',
  'select * from people tablesample bernoulli (100)',
  'select email from public.people',
  'select email from "public"."people"',
  'select public.people.email from public.people',
  'select email from U&"p\\0065ople"',
  'select email from PEOPLE',
  'select email from/**/people/**/as/**/x',
  "select '😀', email from people -- people",
  'select email from people as "people"',
  'select "PEOPLE".email from people as "PEOPLE"',
  'select email from other.people',
  'select * from other.people',
  'select email from logins',
  'select l from logins l',
  'select l.email from logins l join people p on p.email = l.email',
  'select * from copies',
  'select (was).email from copies',
  'select (copies.was).* from copies',
  'select was::text, to_jsonb(was) from copies',
  'select (many[1]).email, many from copies',
  'select u.email from copies c, unnest(c.many) u',
  'select first_of(was) from copies',
  'select * from v_copies',
  'select * from parts',
  'select email from parts_one',
  'select p::text from parts_two p',
  'select mail from owners order by id',
  'select mail from heirs',
  'select span, lower(span), upper(span) from ranges',
  'select count(*) from ranges where span @> 4715',
  'select range_agg(span) from ranges',
  'select * from v_secured',
  'select id from v_joined',
  'select * from v_using',
  'select * from v_counted',
  'select * from v_recursive',
  'select * from v_rows',
  'select * from v_lateral',
  'select * from v_sub',
  'select * from m_sub',
  'select * from v_safe order by id',
  'select * from v_statistic',
  'select * from v_statistic_ext',
  'select * from pg_stats',
  'select * from pg_stats_ext_exprs',
  'select * from pg_catalog.pg_statistic',
  'select * from pg_statistic_ext_data',
  'select pg_mcv_list_items(stxdmcv) from pg_statistic_ext_data',
  'select deep()',
  'select email from deep()',
  'select d.email from deep() as d',
  'select * from rows from (deep(), generate_series(1, 2))',
  'select guess($$ann@hidden.example$$)',
  'select query_to_xml($$select email from people$$, true, true, $$$$)',
  'select table_to_xml($$people$$, true, true, $$$$)',
  'select currtid2($$people$$, $$(0,1)$$)',
  'select set_config($$x.y$$, (select email from people limit 1), true)',
  'explain select id from people where email = $$ann@hidden.example$$',
  'explain (analyze, costs off, timing off, summary off, buffers off) select id from people where age > 100',
  'explain (verbose, costs off) select p from people p',
  'explain (generic_plan, costs off) select id from people where email = $1',
  'explain (analyze, costs off, timing off, summary off, buffers off) update people set name = $$x$$ where age > 100',
  'explain (analyze, costs off, timing off, summary off, buffers off) create table kept as select email from people',
  'explain (analyze, serialize text, costs off, timing off, summary off) select * from people',
  'explain analyze select guess($$ann@hidden.example$$)',
  'copy people to stdout',
  'copy (select email from people) to stdout',
  'declare c cursor for select email from people',
  'prepare s as select email from people',
  'fetch all from c',
  'select id from people where email like $$a%$$ for update',
  'select id from people for update',
  'select j.c from (people cross join (select 1) s) as j(a, b, c) for update',
  'select x.c from people as x(a, b, c) for share',
  'select p from people p for no key update',
  'select id from people order by short for update',
  'select id from people group by id having max(age) > 100',
  'select attmissingval, attname from pg_attribute where attrelid = $$people$$::regclass',
  'select pg_get_viewdef($$v_secured$$::regclass), pg_get_functiondef($$deep$$::regproc)',
  'select n_distinct from pg_stats where tablename = $$people$$',
  'select last_value from pg_sequences',
  'select pg_column_size(p), octet_length(email), pg_column_compression(email) from people p',
  'select count(email), count(age), num_nonnulls(email, age) from people',
  'select hashtext(email), hash_record(p) from people p',
  'select format($$%s$$, p), concat_ws($$,$$, p.*) from people p',
  'select string_to_table(email, $$@$$) from people',
  'select lo_from_bytea(0, email::bytea) from people',
  'select email is document from people',
  'select (array_agg(p))[1].email from people p',
  'select any_value(email), bool_and(age > 100), bit_or(age) from people',
  'select email collate "C" from people order by email collate "C" desc',
]

export const statements: string[] = [...reads, ...writes]
