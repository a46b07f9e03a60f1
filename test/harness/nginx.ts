import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { after } from 'node:test'
import { startProxyProgram } from './proxy-program.ts'

export const nginx = '/usr/sbin/nginx'

/** nginx as deploy/proxy/nginx.conf sets it up, without TLS, in front of these; with what it wrote to its log. */
export async function startNginx(
  port: number,
  upstreams: readonly number[],
): Promise<{ url: string; errors(): string }> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-nginx-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const settings = join(folder, 'nginx.conf')
  const isRoot = process.getuid?.() === 0
  writeFileSync(
    settings,
    `${isRoot ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 512; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
${documented(port, upstreams)}
}
`,
  )
  const url = await startProxyProgram(nginx, ['-c', settings, '-p', folder], port, { stdio: 'inherit' })
  return { url, errors: () => readFileSync(join(folder, 'error.log'), 'utf8') }
}

/** The file of the documentation, with addresses of this machine. */
function documented(port: number, upstreams: readonly number[]): string {
  const file = join(import.meta.dirname, '../../deploy/proxy/nginx.conf')
  const [upstream = '', , server = ''] = readFileSync(file, 'utf8').split(/^server \{$/m)
  const ports = [...upstreams]
  return `${upstream.replace(/127\.0\.0\.1:\d+/g, () => `127.0.0.1:${ports.shift()}`)}server {${server
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/^ +ssl_.*$/gm, '')}`
}
