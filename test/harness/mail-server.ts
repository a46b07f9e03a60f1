import { createServer, type AddressInfo, type Socket } from 'node:net'
import { after } from 'node:test'

export interface Mail {
  from: string
  to: string[]
  /** With its headers, as it came. */
  raw: string
}

export interface MailServer {
  /** For SMTP_URL, with user and password. */
  url: string
  mails: Mail[]
  /** Responses to the next messages, in place of `250 ok`. */
  next: string[]
  /** Addresses that nobody has. */
  unknown: Set<string>
  /** Addresses that it takes nothing for now, as greylisting does. */
  busy: Set<string>
}

/** A mail server that takes every message of who knows the password. It speaks as much SMTP as clients need. */
export async function startMailServer(user = 'signalbox', password = 'mail-password'): Promise<MailServer> {
  const server: MailServer = { url: '', mails: [], next: [], unknown: new Set(), busy: new Set() }
  const login = Buffer.from(`\0${user}\0${password}`).toString('base64')
  const listener = createServer((socket) => converse(socket, server, login))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  after(() => void listener.close())
  const { port } = listener.address() as AddressInfo
  server.url = `smtp://${user}:${password}@127.0.0.1:${port}`
  return server
}

function converse(socket: Socket, server: MailServer, login: string): void {
  let unread = ''
  let mail: Mail | undefined
  let isLoggedIn = false
  let isReadingData = false
  const say = (line: string): void => void socket.write(`${line}\r\n`)

  function command(line: string): void {
    const [verb = ''] = line.toUpperCase().split(' ')
    if (verb === 'EHLO') return say('250-mail.example.com\r\n250 AUTH PLAIN')
    if (verb === 'AUTH') {
      isLoggedIn = line.split(' ')[2] === login
      return say(isLoggedIn ? '235 welcome' : '535 wrong password')
    }
    if (verb === 'QUIT') return void socket.end('221 bye\r\n')
    if (!isLoggedIn) return say('530 log in first')
    if (verb === 'MAIL') mail = { from: addressIn(line), to: [], raw: '' }
    else if (verb === 'RCPT') {
      if (server.unknown.has(addressIn(line))) return say('550 5.1.1 no such user')
      if (server.busy.has(addressIn(line))) return say('450 4.2.0 greylisted, try later')
      mail?.to.push(addressIn(line))
    } else if (verb === 'DATA') {
      isReadingData = true
      return say('354 go on')
    }
    say('250 ok')
  }

  function data(line: string): void {
    if (!mail) return
    if (line !== '.') {
      mail.raw += `${line.replace(/^\.\./, '.')}\r\n`
      return
    }
    isReadingData = false
    const reply = server.next.shift()
    if (reply === undefined) server.mails.push(mail)
    say(reply ?? '250 ok')
  }

  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    const lines = (unread + chunk.toString('utf8')).split('\r\n')
    unread = lines.pop() ?? ''
    for (const line of lines) (isReadingData ? data : command)(line)
  })
  say('220 mail.example.com ESMTP')
}

const addressIn = (line: string): string => /<([^>]*)>/.exec(line)?.[1] ?? ''
