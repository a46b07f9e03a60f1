import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { clientConfig, type Target } from '#kernel/db'
import { listenOn } from './world.ts'

/** The database of the shop, beside those of Signalbox: to the product it is one that an admin adds by its address. */
export interface ShopDatabase {
  url: string
  port: number
  make(): Promise<void>
  stop(): Promise<void>
}

const name = 'signalbox_demo_shop'
const password = 'demo-shop'
type Embedded = Extract<Target, { kind: 'embedded' }>

const tables = `
create table customers (id int primary key, name text not null, city text not null, created_at timestamptz not null);
create table products (id int primary key, title text not null, price numeric(10, 2) not null, stock int not null);
create table orders (id int primary key, customer_id int not null references customers, status text not null,
  total numeric(10, 2) not null, created_at timestamptz not null);
create table carts (id int primary key, customer_id int references customers, items int not null,
  updated_at timestamptz not null);
insert into customers select g, 'Customer ' || g, (array['Bern', 'Graz', 'Kiel', 'Lyon'])[1 + g % 4],
  now() - g * interval '7 hours' from generate_series(1, 400) g;
insert into products select g, (array['Blanket', 'Clock', 'Chair', 'Mug', 'Shelf'])[1 + g % 5] || ' ' || g,
  5 + (g * 37) % 200, (g * 13) % 90 from generate_series(1, 60) g;
insert into orders select g, 1 + (g * 7) % 400, (array['paid', 'sent', 'delivered', 'returned'])[1 + g % 4],
  9 + (g * 53) % 300, now() - g * interval '100 minutes' from generate_series(1, 1200) g;
insert into carts select g, 1 + (g * 3) % 400, 1 + g % 6, now() - g * interval '11 hours' from generate_series(1, 300) g;`

/** Undefined for an external database server: what is made there is for its operator to decide. */
export async function openShopDatabase(target: Target, port: number): Promise<ShopDatabase | undefined> {
  return target.kind === 'embedded' ? relay(target, port) : undefined
}

/** Replaces one that an earlier demo has left. */
async function make(target: Embedded): Promise<void> {
  const admin = new pg.Client(clientConfig({ ...target, database: 'postgres' }))
  await admin.connect()
  try {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`drop role if exists ${name}`)
    await admin.query(`create role ${name} login password '${password}'`)
    await admin.query(`create database ${name} owner ${name}`)
  } finally {
    await admin.end()
  }
  await fill(target)
}

async function fill(target: Embedded): Promise<void> {
  const client = new pg.Client({ ...target.address, user: name, password, database: name })
  await client.connect()
  try {
    await client.query(tables)
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/** The embedded server listens on a socket in the file system, and databases are added by host and port. */
async function relay(target: Embedded, port: number): Promise<ShopDatabase> {
  const { address } = target
  const open = new Set<{ destroy(): void }>()
  const server = createServer((client) => {
    const own = address.host.startsWith('/')
      ? connect(join(address.host, `.s.PGSQL.${address.port}`))
      : connect(address.port, address.host)
    for (const [from, to] of [
      [client, own],
      [own, client],
    ] as const) {
      open.add(from)
      from
        .on('error', () => to.destroy())
        .on('close', () => open.delete(from))
        .pipe(to)
    }
  })
  const listening = await listenOn(server, port)
  return {
    url: `postgresql://${name}:${password}@127.0.0.1:${listening}/${name}`,
    port: listening,
    make: () => make(target),
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
