import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { after } from 'node:test'
import { waitFor } from './wait.ts'

export const nginx = '/usr/sbin/nginx'

/** The configuration of docs/deploy.md on loopback, in front of two servers; with what nginx wrote to its log. */
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
  upstream signalbox {
    ${upstreams.map((each) => `server 127.0.0.1:${each} max_fails=1 fail_timeout=2s;`).join('\n    ')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 32m;
    location / {
      proxy_pass http://signalbox;
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_set_header host $host;
      proxy_set_header x-forwarded-for $proxy_add_x_forwarded_for;
      proxy_buffering off;
      proxy_request_buffering off;
      proxy_read_timeout 3600s;
      proxy_next_upstream error timeout;
    }
  }
}
`,
  )
  const child = spawn(nginx, ['-c', settings, '-p', folder], { stdio: 'inherit' })
  after(async () => {
    if (child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const url = `http://127.0.0.1:${port}`
  await waitFor('nginx', () =>
    fetch(`${url}/livez`).then(
      (response) => response.ok,
      () => false,
    ),
  )
  return { url, errors: () => readFileSync(join(folder, 'error.log'), 'utf8') }
}
