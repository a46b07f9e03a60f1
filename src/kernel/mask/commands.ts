import { isReal, type Span } from './masked.ts'

/*
 * Passwords that commands take as options. A command ends with its line, and each is looked at once.
 */

/** Between an option and its value: spaces, an equals sign, or the next string of an array of arguments. */
const gap = String.raw`(?:[ \t=]{1,8}|\\{0,7}["'],[ \t]?\\{0,7}["'])`
const quote = String.raw`(?:\\{0,7}["'])?`
/** Not what follows the end of a string in JSON. */
const value = String.raw`((?![-,:}\]])[^\s"'\\|]{1,200})`
const after = (options: string): RegExp => new RegExp(`(?<=[\\s"'])(?:${options})${gap}${quote}${value}`, 'g')
const joined = (options: string): RegExp =>
  new RegExp(`(?<=[\\s"'])(?:${options})${gap}?${quote}${value}`, 'g')
const userAnd = (options: string, between: string): RegExp =>
  new RegExp(`(?<=[\\s"'])(?:${options})${gap}?${quote}[^\\s"'\\\\${between}]{0,100}${between}${value}`, 'g')

const options: Record<string, RegExp> = {
  curl: userAnd('-u|-U|--user|--proxy-user', ':'),
  http: userAnd('-a|--auth', ':'),
  mysql: new RegExp(`(?<=[\\s"'])-p${quote}${value}`, 'g'),
  sshpass: joined('-p'),
  redis: after('-a|--pass'),
  mongo: joined('-p'),
  login: joined('-p'),
  smbclient: userAnd('-U|--user', '%'),
  ldap: joined('-w'),
  zip: joined('-P'),
  '7z': new RegExp(`(?<=[\\s"'])-p${quote}${value}`, 'g'),
  sqlcmd: joined('-P'),
  ftp: userAnd('-u|--user', ','),
  keytool: after('-(?:src|dest)?(?:store|key)pass'),
  openssl: new RegExp(`(?<=[\\s"'])pass:${quote}${value}`, 'g'),
  vault: new RegExp(`(?<=[\\s"'])login ${quote}(?=[^\\s]{0,100}\\d)${value}`, 'g'),
  kubectl: new RegExp(`--from-literal${gap}${quote}[\\w.-]{1,100}=${quote}${value}`, 'g'),
  snmp: after('-A|-X'),
  htpasswd: new RegExp(
    `(?<=[\\s"'])-[a-zA-Z]{0,6}b[a-zA-Z]{0,6} +\\S{1,200} +\\S{1,100} +${quote}${value}`,
    'g',
  ),
}

const families: [RegExp, keyof typeof options][] = [
  [/^(?:mysql|mariadb)/, 'mysql'],
  [/^redis/, 'redis'],
  [/^mongo/, 'mongo'],
  [/^(?:docker|podman|helm|nerdctl|buildah|skopeo|oras|az|oc)$/, 'login'],
  [/^ldap/, 'ldap'],
  [/^(?:zip|unzip)$/, 'zip'],
  [/^7za?$/, '7z'],
  [/^(?:sqlcmd|bcp|isql|osql|tsql)$/, 'sqlcmd'],
  [/^(?:lftp|ftp|ncftp)$/, 'ftp'],
  [/^(?:https?|xh)$/, 'http'],
  [/^snmp/, 'snmp'],
]

/** How the commands begin. */
export const commandHints = [
  ...[
    'curl',
    'http',
    'xh ',
    'mysql',
    'mariadb',
    'sshpass',
    'redis-',
    'mongo',
    'docker',
    'podman',
    'helm',
    'nerdctl',
  ],
  ...[
    'buildah',
    'skopeo',
    'oras',
    'az ',
    'oc ',
    'smbclient',
    'ldap',
    '7z ',
    '7za',
    'unzip',
    'zip ',
    'sqlcmd',
    'bcp',
    'isql',
  ],
  ...['osql', 'tsql', 'lftp', 'ncftp', 'ftp ', 'keytool', 'openssl', 'vault', 'kubectl', 'snmp', 'htpasswd'],
]

const command =
  /(?:(?<=\\[nrt])|(?<![\w.-]))(?:curl|https?|xh|mysql(?:dump|admin|import|show|check)?|mariadb(?:-[a-z]{1,10})?|sshpass|redis-cli|mongo(?:sh|dump|restore|export|import)?|docker|podman|helm|nerdctl|buildah|skopeo|oras|az|oc|smbclient|ldap(?:search|modify|add|passwd|whoami)|7za?|unzip|zip|sqlcmd|bcp|[iot]sql|lftp|ncftp|ftp|keytool|openssl|vault|kubectl|snmp[a-z]{1,8}|htpasswd)(?=[ \t]|\\{0,7}["'],)/y
/** The longest command that is looked at as a whole. */
const longest = 4_000

/** The passwords of the commands that begin at some of the places, which must be in order. */
export function passwordsOfCommands(text: string, places: readonly number[]): Span[] {
  const spans: Span[] = []
  const commands = places.flatMap((at) => {
    command.lastIndex = at
    const name = command.exec(text)?.[0]
    return name === undefined ? [] : [{ at, name }]
  })
  commands.forEach(({ at, name }, index) => {
    const from = at + name.length
    const next = commands[index + 1]?.at ?? text.length
    const args = text.slice(from, Math.min(next, from + longest))
    const end = args.search(/[\r\n]|\\n/)
    addPasswords(name, end === -1 ? args : args.slice(0, end), from, spans)
  })
  return spans
}

function addPasswords(name: string, args: string, at: number, spans: Span[]): void {
  const family = families.find(([names]) => names.test(name))?.[1] ?? name
  const expression = options[family]
  if (expression === undefined || (family === 'login' && !/\blogin\b/.test(args))) return
  for (const match of args.matchAll(expression)) {
    const password = match[1] ?? ''
    const to = at + match.index + match[0].length
    if (isReal(password)) spans.push({ from: to - password.length, to })
  }
}
