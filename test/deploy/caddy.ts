import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '#test/product'
import { startProxyProgram } from '#test/proxy-program'

/** Caddy as deploy/proxy/Caddyfile sets it up, without TLS, in front of one replica; returns its address. */
export async function startCaddy(port: number, upstream: string): Promise<string> {
  const folder = temporaryFolder()
  const file = join(folder, 'Caddyfile')
  const text = readFileSync(join(import.meta.dirname, '../../deploy/proxy/Caddyfile'), 'utf8')
  const replica = new URL(upstream).host
  writeFileSync(
    file,
    `{\n\tadmin off\n\tauto_https off\n}\n${text.replace('{$DOMAIN}', `http://127.0.0.1:${port}`).replace('one:8000 two:8000', replica)}`,
  )
  return startProxyProgram('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], port, {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
}
