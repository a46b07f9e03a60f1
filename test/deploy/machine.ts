import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '#test/product'
import { collect } from '#test/process'
import { freePort } from '../harness/free-port.ts'
import { endBeforeFolder } from '../harness/run-folder.ts'

/** A folder that stands for a Debian machine, with its own PostgreSQL, on free ports. */
export interface Machine {
  root: string
  /** Of nginx, and of PostgreSQL. */
  tls: number
  database: number
  /** Of the replicas, by which nginx names them. */
  replicas: readonly string[]
  /** The text of the guide with the folders and ports of this machine. */
  here(text: string): string
  /** Runs commands of the guide as root, in the folder of the product; `typed` is what they ask for. */
  sh(commands: string, typed?: string): Promise<string>
}

const [postgres = ''] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed()

/** Why the guide cannot be followed here. */
export function missing(): string | false {
  if (process.getuid?.() !== 0) return 'only root can follow the guide'
  const found = (program: string): boolean => spawnSync('which', [program]).status === 0
  const absent = ['nginx', 'openssl', 'curl', 'runuser', 'setpriv', 'npm'].filter((each) => !found(each))
  if (postgres === '') absent.unshift('postgresql')
  return absent.length > 0 && `not installed: ${absent.join(', ')}`
}

export async function makeMachine(): Promise<Machine> {
  const root = temporaryFolder()
  // The users postgres and that of the replicas pass through.
  for (const folder of [root, dirname(root)]) chmodSync(folder, 0o711)
  for (const folder of [
    'bin',
    'run',
    'opt',
    'etc/systemd/system',
    'etc/nginx/conf.d',
    'etc/ssl',
    'var/lib',
    'var/backups',
  ])
    mkdirSync(join(root, folder), { recursive: true })
  chmodSync(join(root, 'run'), 0o777)
  const [first = 0, second = 0, http = 0, tls = 0, database = 0] = await Promise.all(
    Array.from({ length: 5 }, freePort),
  )
  const here = (text: string): string =>
    text
      .replaceAll(/(?<![\w.}])\/(etc|opt|var)\//g, `${root}/$1/`)
      .replaceAll('8001', String(first))
      .replaceAll('8002', String(second))
      .replaceAll('5432', String(database))
      .replaceAll('listen 80;', `listen 127.0.0.1:${http};`)
      .replaceAll('listen 443 ssl;', `listen 127.0.0.1:${tls} ssl;`)
      .replaceAll('signalbox.example.com:443', `signalbox.example.com:${tls}`)
      .replaceAll(/https:\/\/signalbox\.example\.com(?!:)/g, `https://signalbox.example.com:${tls}`)
  // Before the folder with their numbers is removed.
  endBeforeFolder(root, async () => endAll(root))
  startPostgres(root, database)
  putPrograms(root, database)
  // Debian starts it when it is installed.
  execFileSync(join(root, 'bin/nginx'), { stdio: 'ignore' })
  const sh: Machine['sh'] = async (commands, typed = '') => {
    const product = join(root, 'opt/signalbox')
    console.log(here(commands).trimEnd())
    const child = spawn('bash', ['-ec', here(commands)], {
      cwd: existsSync(product) ? product : root,
      env: { ...npmSettings(), PATH: `${root}/bin:${ownPath()}`, HOME: process.env['HOME'], TRY_ROOT: root },
      // Without a terminal, what is asked for comes from the standard input.
      detached: true,
    })
    const printed = collect(child, ['stdout'])
    const complaints = collect(child, ['stderr'])
    child.stdin.end(typed)
    const [code] = (await once(child, 'exit')) as [number | null]
    assert.equal(code, 0, `${commands}\n${printed()}${complaints()}${logsIn(root)}`)
    return printed()
  }
  return { root, tls, database, replicas: [`127.0.0.1:${first}`, `127.0.0.1:${second}`], here, sh }
}

/** The end of what each unit has written. */
const logsIn = (root: string): string =>
  globSync('run/*.log', { cwd: root })
    .map((file) => `\n${file}: ${readFileSync(join(root, file), 'utf8').slice(-2_000)}`)
    .join('')

/** The Node of the machine, not that of the checkout. */
const ownPath = (): string =>
  (process.env['PATH'] ?? '')
    .split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':')

const npmSettings = (): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(npm_config_|.*_proxy$|NODE_EXTRA_CA_CERTS)/i.test(name),
    ),
  )

const asPostgres = (program: string, ...args: string[]): unknown =>
  execFileSync('runuser', ['-u', 'postgres', '--', join(postgres, program), ...args], {
    cwd: '/',
    stdio: 'pipe',
  })

/** As Debian sets it up: the user postgres by its name, others by password. */
function startPostgres(root: string, port: number): void {
  const cluster = join(root, 'run/postgres')
  asPostgres(
    'initdb',
    '-D',
    cluster,
    '--auth-local=peer',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
  )
  const options = `-p ${port} -k ${root}/run -c listen_addresses=127.0.0.1 -c fsync=off`
  asPostgres('pg_ctl', 'start', '-w', '-D', cluster, '-l', `${cluster}/log`, '-o', options)
}

/** Programs of the machine that act on this folder only. */
function putPrograms(root: string, port: number): void {
  const put = (name: string, line: string): void =>
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
  put('nginx', `exec /usr/sbin/nginx -e ${root}/run/nginx.log -c ${root}/etc/nginx/nginx.conf "$@"`)
  put('systemctl', `exec ${process.execPath} ${join(import.meta.dirname, 'systemctl.ts')} "$@"`)
  put('journalctl', `cat "${root}/run/$2.log"`)
  put('runuser', `PGHOST=${root}/run PGPORT=${port} exec /usr/sbin/runuser "$@"`)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${root}/run/${name};`)
    .join('\n')
  writeFileSync(
    join(root, 'etc/nginx/nginx.conf'),
    `user root; worker_processes 1; pid ${root}/run/nginx.pid;
events { worker_connections 512; }
http {
${folders}
log_format replica '$upstream_addr $status $uri';
access_log ${root}/run/access.log replica;
include ${root}/etc/nginx/conf.d/*.conf;
}
`,
  )
}

/** Every process that was started here, by its number; without waiting for replicas to drain. */
function endAll(root: string): void {
  for (const file of globSync('run/*.pid', { cwd: root }))
    try {
      const isReplica = file.includes('@')
      process.kill(Number(readFileSync(join(root, file), 'utf8')), isReplica ? 'SIGKILL' : 'SIGTERM')
    } catch {
      // It has ended.
    }
  asPostgres('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', join(root, 'run/postgres'))
}
