import assert from 'node:assert/strict'
import type { SqlProduct } from '../testing-sql.ts'

/** What must never be in a response. */
export const hidden = 'ann@hidden.example'

/** Tables, views, code and keys through which a rule could be circumvented, made by the superuser. */
export async function makeTables(it: SqlProduct): Promise<void> {
  // The roles of the agents are made at the first use.
  await it.execute('select 1')
  await it.admin(`
    create table users (id int primary key, name text, email text unique, age int);
    create table orders (id int primary key, user_id int references users on delete cascade, note text);
    create table contacts (id int primary key, user_email text unique references users (email) on update cascade);
    create unique index on users (id, email);
    create table letters (id int primary key, user_id int, recipient text, foreign key (user_id, recipient) references users (id, email) on update cascade);
    create table notes (id int primary key, contact text references contacts (user_email), start text generated always as (left(contact, 9)) stored);
    create table secrets (id int primary key, value text);
    create table parents (id int primary key);
    create table kept (id int primary key, parent_id int references parents on delete cascade);
    create table linked (id int primary key, parent_id int references parents);
    create table watched (id int primary key, note text);
    create schema vault;
    create table vault.keys (id int primary key, value text);
    create table "Mixed" (id int, value text);
    create table events (id int, kind text) partition by list (kind);
    create table events_open partition of events for values in ('open');
    create table events_closed partition of events for values in ('closed');
    create table people (id int primary key, email text);
    create table staff (badge text) inherits (people);
    alter table staff add unique (email);
    create table badges (id int primary key, owner text references staff (email));
    create table tagged (id int primary key, iban text, start text generated always as (left(iban, 9)) stored);
    comment on column tagged.iban is 'Where money goes, @pii';
    insert into users values (1, 'Ann', '${hidden}', 40), (2, 'Bob', 'bob@other.example', 41);
    insert into orders values (1, 1, 'first'); insert into contacts values (1, '${hidden}');
    insert into notes values (1, '${hidden}');
    insert into secrets values (1, '${hidden}'); insert into vault.keys values (1, '${hidden}');
    insert into parents values (1), (2), (3); insert into kept values (1, 1); insert into watched values (1, 'x');
    insert into "Mixed" values (1, '${hidden}'); insert into events values (1, 'open'), (2, 'closed');
    insert into people values (1, '${hidden}'); insert into staff values (2, '${hidden}', 'b');
    insert into badges values (1, '${hidden}');
    insert into tagged values (1, '${hidden}');
    create view v_secrets as select * from secrets;
    create view v_outer as select id from v_secrets;
    create materialized view m_secrets as select value from secrets;
    create view v_email as select id, email as contact from users;
    create view v_email_outer as select id from v_email;
    create view v_row as select row_to_json(u) as everything from users u;
    create view v_names as select id, name from users;
    create view v_stats as select tablename, most_common_vals::text from pg_stats;
    create function peek() returns text language sql stable as 'select value from secrets limit 1';
    create function peek_twice() returns text language sql stable as 'select peek()';
    create function peek_hidden() returns text language plpgsql stable as
      $$ declare found text; begin execute 'select value from secrets' into found; return found; end $$;
    create function find_email(wanted int) returns text language sql stable as 'select email from users where id = wanted';
    create function row_email(u users) returns text language sql immutable as 'select u.email';
    create function secret_length(int) returns int language sql stable as 'select count(*)::int from secrets';
    create operator @@@ (rightarg = int, function = secret_length);
    create operator ##@ (rightarg = int, function = secret_length);
    create function email_of(one int, other int) returns text language sql stable as 'select find_email(one)';
    create operator <-> (leftarg = int, rightarg = int, function = email_of);
    create type label as (name text);
    create function label_of(int) returns label language sql stable as 'select row(find_email($1))::label';
    create cast (int as label) with function label_of(int);
    create function noted() returns trigger language plpgsql as
      $$ begin insert into secrets values (new.id + 100, new.note); return new; end $$;
    create trigger note before update on watched for each row execute function noted();
    grant usage on schema vault to public; grant all on all tables in schema public, vault to public;
    grant execute on all functions in schema public to public; analyze`)
}

export async function setPolicy(it: SqlProduct, changes: object): Promise<void> {
  const { json: agent } = await it.call('/api/agents/data-engineer')
  const policy = { ...agent.config.policy, ...changes }
  const { status, text } = await it.call('/api/agents/data-engineer', {
    method: 'PATCH',
    json: { config: { ...agent.config, policy } },
  })
  assert.equal(status, 200, text)
}

/** More operations, so that only the rules are in the way. */
export const everything = {
  allowed_operations: [
    ...['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'TRUNCATE', 'EXPLAIN', 'CREATE', 'ALTER', 'DROP'],
    ...['COMMENT', 'DO', 'CALL', 'ANALYZE', 'REFRESH MATERIALIZED VIEW', 'COPY TO', 'REINDEX', 'GRANT'],
  ],
  requires_approval: [],
  allowed_functions: ['peek', 'peek_twice', 'peek_hidden', 'find_email', 'row_email', 'secret_length'],
}
