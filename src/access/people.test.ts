import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import pg from 'pg'
import { startProduct, type Answer, type Product } from '#test/product'
import { waitFor } from '#test/wait'

const product = await startProduct({ AUTH: 'required' })
const origin = product.url
const password = 'a long enough password'

interface Browser {
  call(path: string, options?: { method?: string; json?: unknown; origin?: string }): Promise<Answer>
}

/** Keeps cookies and sends Origin, as a browser does. */
function browser(of: Product): Browser {
  let cookie = ''
  return {
    async call(path, options = {}) {
      const headers: Record<string, string> = { origin: options.origin ?? of.url }
      if (cookie) headers['cookie'] = cookie
      const answer = await of.call(path, { ...options, headers })
      for (const set of answer.headers.getSetCookie()) cookie = set.split(';')[0] ?? ''
      return answer
    },
  }
}

async function join(token: string, email: string, name = 'Someone'): Promise<Browser> {
  const person = browser(product)
  const { status, json } = await person.call('/api/auth/invitation/accept', {
    json: { token, name, email, password },
  })
  assert.equal(status, 200, JSON.stringify(json))
  return person
}

const tokenOf = (url: string): string => new URL(url).searchParams.get('token') ?? ''
const owner = await join(product.first.ownerToken?.reveal() ?? '', 'owner@example.com', 'The owner')
const group = (await owner.call('/api/v1/me')).json.groups[0] as { id: string; name: string; role: string }

async function invite(role: string, email?: string, by = owner): Promise<string> {
  const { status, json } = await by.call(`/api/v1/groups/${group.id}/invitations`, { json: { role, email } })
  assert.equal(status, 201, JSON.stringify(json))
  assert.ok(json.url.startsWith(`${origin}/join?token=`))
  return tokenOf(json.url)
}

test('the one-time link makes the first owner, once', async () => {
  assert.equal(group.name, 'Default')
  assert.equal(group.role, 'owner')
  const again = await browser(product).call('/api/auth/invitation/accept', {
    json: { token: product.first.ownerToken?.reveal(), name: 'Late', email: 'late@example.com', password },
  })
  assert.equal(again.status, 404)
  assert.match(again.json.error.message, /already used/)
})

test('the session cookie is HttpOnly and SameSite=Lax', async () => {
  const answer = await browser(product).call('/api/auth/sign-in/email', {
    json: { email: 'owner@example.com', password },
  })
  const [cookie] = answer.headers.getSetCookie()
  assert.match(cookie ?? '', /HttpOnly/i)
  assert.match(cookie ?? '', /SameSite=Lax/i)
})

test('off loopback the cookie is Secure', async () => {
  const proxied = await startProduct({ PUBLIC_URL: 'https://box.example.com' })
  const answer = await proxied.call('/api/auth/invitation/accept', {
    json: { token: proxied.first.ownerToken?.reveal(), name: 'Owner', email: 'owner@example.com', password },
    headers: { origin: 'https://box.example.com' },
  })
  assert.match(answer.headers.getSetCookie()[0] ?? '', /^__Secure-.*Secure/is)
  assert.match(answer.headers.get('strict-transport-security') ?? '', /max-age/)
})

test('a wrong password, an unknown person and a short password get clear answers', async () => {
  const wrong = await browser(product).call('/api/auth/sign-in/email', {
    json: { email: 'owner@example.com', password: 'wrong password' },
  })
  assert.equal(wrong.status, 401)
  assert.equal(wrong.json.error.code, 'not_authenticated')
  const unknown = await browser(product).call('/api/auth/sign-in/email', {
    json: { email: 'nobody@example.com', password },
  })
  assert.deepEqual(unknown.json.error.message, wrong.json.error.message)
  const token = await invite('member')
  const short = await browser(product).call('/api/auth/invitation/accept', {
    json: { token, name: 'X', email: 'x@example.com', password: 'short' },
  })
  assert.equal(short.status, 400)
  assert.equal(short.json.error.param, 'password')
})

test('nobody can sign up without a link, and the routes we do not open stay shut', async () => {
  for (const path of [
    '/api/auth/sign-up/email',
    '/api/auth/update-user',
    '/api/auth/delete-user',
    '/api/auth/list-sessions',
  ]) {
    const { status } = await owner.call(path, { json: { email: 'new@example.com', password, name: 'New' } })
    assert.equal(status, 404, path)
  }
})

test('a session is refused when the request comes from another site', async () => {
  const forged = await owner.call('/api/v1/keys', {
    json: { name: 'forged' },
    origin: 'https://evil.example',
  })
  assert.equal(forged.status, 403)
  const signOut = await owner.call('/api/auth/sign-out', { json: {}, origin: 'https://evil.example' })
  assert.equal(signOut.status, 403)
  assert.equal((await owner.call('/api/v1/me')).status, 200)
})

async function signedIn(email: string, as = password): Promise<Browser> {
  const person = browser(product)
  const { status } = await person.call('/api/auth/sign-in/email', { json: { email, password: as } })
  assert.equal(status, 200)
  return person
}

const statusOf = async (person: Browser): Promise<number> => (await person.call('/api/v1/me')).status

test('a changed password ends the other sessions, also where the client does not ask for it', async () => {
  const here = await join(await invite('viewer'), 'changes@example.com')
  const elsewhere = await signedIn('changes@example.com')
  const newPassword = 'another long enough password'
  const changed = await here.call('/api/auth/change-password', {
    json: { currentPassword: password, newPassword },
  })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual([await statusOf(here), await statusOf(elsewhere)], [200, 401])
  assert.equal(await statusOf(await signedIn('changes@example.com', newPassword)), 200)
})

test('signing out everywhere ends all sessions of the person, and nobody else is signed out', async () => {
  const here = await join(await invite('viewer'), 'everywhere@example.com')
  const elsewhere = await signedIn('everywhere@example.com')
  const forged = await here.call('/api/auth/sign-out-everywhere', {
    method: 'POST',
    origin: 'https://evil.example',
  })
  assert.deepEqual([forged.status, await statusOf(elsewhere)], [403, 200])
  const { status } = await here.call('/api/auth/sign-out-everywhere', { method: 'POST' })
  assert.equal(status, 204)
  assert.deepEqual([await statusOf(here), await statusOf(elsewhere), await statusOf(owner)], [401, 401, 200])
})

test('signing out ends the session', async () => {
  const person = browser(product)
  await person.call('/api/auth/sign-in/email', { json: { email: 'owner@example.com', password } })
  assert.equal((await person.call('/api/v1/me')).status, 200)
  await person.call('/api/auth/sign-out', { json: {} })
  assert.equal((await person.call('/api/v1/me')).status, 401)
})

test('an invitation for one address cannot be used by another, and a withdrawn one not at all', async () => {
  const token = await invite('member', 'invited@example.com')
  assert.deepEqual((await product.call(`/api/auth/invitation?token=${token}`)).json, {
    group: 'Default',
    role: 'member',
    email: 'invited@example.com',
  })
  const other = await browser(product).call('/api/auth/invitation/accept', {
    json: { token, name: 'Other', email: 'other@example.com', password },
  })
  assert.equal(other.json.error.param, 'email')
  const { json: open } = await owner.call(`/api/v1/groups/${group.id}/invitations`)
  const found = open.data.find((each: { email: string }) => each.email === 'invited@example.com')
  assert.equal(
    (await owner.call(`/api/v1/groups/${group.id}/invitations/${found.id}`, { method: 'DELETE' })).status,
    204,
  )
  assert.equal((await product.call(`/api/auth/invitation?token=${token}`)).status, 404)
})

test('a viewer reads, and changes nothing', async () => {
  const viewer = await join(await invite('viewer'), 'viewer@example.com')
  assert.equal((await viewer.call('/api/v1/keys')).status, 200)
  assert.equal((await viewer.call(`/api/v1/groups/${group.id}/members`)).status, 200)
  assert.equal((await viewer.call('/api/v1/keys', { json: { name: 'x', scopes: ['gateway'] } })).status, 403)
  assert.equal(
    (await viewer.call(`/api/v1/groups/${group.id}`, { method: 'PATCH', json: { name: 'Mine' } })).status,
    403,
  )
  assert.equal(
    (await viewer.call(`/api/v1/groups/${group.id}/invitations`, { json: { role: 'viewer' } })).status,
    403,
  )
  assert.equal((await viewer.call(`/api/v1/groups/${group.id}/invitations`)).status, 403)
})

test('a group has one time zone, which admins change and everybody sees', async () => {
  const path = `/api/v1/groups/${group.id}`
  const change = (json: object) => owner.call(path, { method: 'PATCH', json })
  const shown = async () => (await owner.call('/api/v1/me')).json.groups[0].time_zone
  assert.equal(await shown(), Intl.DateTimeFormat().resolvedOptions().timeZone)
  assert.equal((await change({ time_zone: 'Asia/Kolkata' })).status, 204)
  assert.equal(await shown(), 'Asia/Kolkata')
  const { json: listed } = await owner.call('/api/v1/groups')
  assert.equal(listed.data[0].time_zone, 'Asia/Kolkata')
  for (const time_zone of ['Mars/Olympus', '+02:00', '', 7]) {
    const refused = await change({ time_zone })
    assert.equal(refused.status, 400)
    assert.equal(refused.json.error.param, 'time_zone')
  }
  assert.equal((await change({})).status, 400)
  assert.equal((await change({ time_zone: null })).status, 204)
  assert.equal(await shown(), null)
})

test('only owners of the first group create groups, unless everyone may', async () => {
  const { json: second } = await owner.call('/api/v1/groups', { json: { name: 'Elsewhere' } })
  const { json: link } = await owner.call(`/api/v1/groups/${second.id}/invitations`, {
    json: { role: 'owner' },
  })
  const elsewhere = await join(tokenOf(link.url), 'owner-elsewhere@example.com')
  const admin = await join(await invite('admin'), 'not-an-owner@example.com')
  assert.equal((await owner.call('/api/v1/me')).json.can_create_groups, true)
  for (const person of [elsewhere, admin]) {
    assert.equal((await person.call('/api/v1/me')).json.can_create_groups, false)
    const refused = await person.call('/api/v1/groups', { json: { name: 'One more' } })
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'forbidden'])
    assert.match(refused.json.error.message, /Only owners of Default .*GROUP_CREATORS=everyone/)
  }
  const open = await startProduct({ AUTH: 'required', GROUP_CREATORS: 'everyone' }, product.target)
  const person = browser(open)
  await person.call('/api/auth/sign-in/email', { json: { email: 'not-an-owner@example.com', password } })
  const made = await person.call('/api/v1/groups', { json: { name: 'One more' } })
  assert.equal(made.status, 201, made.text)
  assert.equal((await person.call('/api/v1/me')).json.can_create_groups, true)
})

test('what another group owns does not exist: 404, not 403', async () => {
  const member = await join(await invite('member'), 'outsider@example.com')
  const { json: secret } = await owner.call('/api/v1/groups', { json: { name: 'Secret' } })
  const { json: key } = await owner.call('/api/v1/keys', { json: { name: 'hidden', group_id: secret.id } })
  for (const [path, method] of [
    [`/api/v1/groups/${secret.id}/members`, 'GET'],
    [`/api/v1/groups/${secret.id}`, 'DELETE'],
    [`/api/v1/keys?group_id=${secret.id}`, 'GET'],
    [`/api/v1/keys/${key.id}`, 'DELETE'],
  ] as const) {
    assert.equal((await member.call(path, { method })).status, 404, `${method} ${path}`)
  }
  assert.ok(!(await member.call('/api/v1/groups')).text.includes('Secret'))
  assert.equal((await product.call('/api/v1/me', { key: key.key })).json.groups[0].name, 'Secret')
})

test('who leaves a group takes their keys along, at once', async () => {
  const member = await join(await invite('member'), 'leaver@example.com')
  const { json: made } = await member.call('/api/v1/keys', { json: { name: 'leaving' } })
  assert.equal((await product.call('/api/v1/me', { key: made.key })).status, 200)
  const { json: me } = await member.call('/api/v1/me')
  assert.equal(
    (await owner.call(`/api/v1/groups/${group.id}/members/${me.user.id}`, { method: 'DELETE' })).status,
    204,
  )
  const isRefused = async () => (await product.call('/api/v1/me', { key: made.key })).status === 401
  await waitFor('the key to be refused', isRefused, 1_000)
  assert.deepEqual((await member.call('/api/v1/me')).json.groups, [])
})

test('a key of somebody who is no longer a member is refused, even if it was never revoked', async () => {
  const member = await join(await invite('member'), 'vanished@example.com')
  const { json: made } = await member.call('/api/v1/keys', { json: { name: 'left over' } })
  assert.equal((await product.call('/api/v1/me', { key: made.key })).status, 200)
  const { json: me } = await member.call('/api/v1/me')
  assert.ok(product.target.kind === 'embedded')
  const client = new pg.Client({ ...product.target.address, database: product.target.database })
  await client.connect()
  await client.query('delete from access.memberships where user_id = $1', [me.user.id])
  await client.end()
  const isRefused = async () => (await product.call('/api/v1/me', { key: made.key })).status === 401
  await waitFor('the key to be refused', isRefused, 1_000)
})

test("a key shrinks with its creator's role", async () => {
  const person = await join(await invite('admin'), 'shrinking@example.com')
  const { json: made } = await person.call('/api/v1/keys', {
    json: { name: 'wide', scopes: ['read', 'gateway', 'admin'] },
  })
  const { json: me } = await person.call('/api/v1/me')
  await owner.call(`/api/v1/groups/${group.id}/members/${me.user.id}`, {
    method: 'PATCH',
    json: { role: 'viewer' },
  })
  const scopes = async (): Promise<string[]> =>
    (await product.call('/api/v1/me', { key: made.key })).json.scopes
  await waitFor('fewer scopes', async () => (await scopes()).length < 3, 1_000)
  assert.deepEqual(await scopes(), ['read'])
})

test('the last owner can neither leave nor step down, and an admin cannot touch owners', async () => {
  const { json: me } = await owner.call('/api/v1/me')
  const own = `/api/v1/groups/${group.id}/members/${me.user.id}`
  assert.equal((await owner.call(own, { method: 'DELETE' })).status, 409)
  assert.equal((await owner.call(own, { method: 'PATCH', json: { role: 'member' } })).status, 409)
  const admin = await join(await invite('admin'), 'admin@example.com')
  assert.equal((await admin.call(own, { method: 'PATCH', json: { role: 'viewer' } })).status, 403)
  assert.equal(
    (await admin.call(`/api/v1/groups/${group.id}/invitations`, { json: { role: 'owner' } })).status,
    400,
  )
})

test('a person who is here already joins another group with the same password', async () => {
  const { json: second } = await owner.call('/api/v1/groups', { json: { name: 'Second' } })
  const { json: made } = await owner.call(`/api/v1/groups/${second.id}/invitations`, {
    json: { role: 'member' },
  })
  const person = await join(tokenOf(made.url), 'viewer@example.com')
  const { json: me } = await person.call('/api/v1/me')
  assert.deepEqual(
    me.groups.map((each: { name: string; role: string }) => [each.name, each.role]),
    [
      ['Default', 'viewer'],
      ['Second', 'member'],
    ],
  )
})

test('guessing passwords is slowed down', async () => {
  const statuses = []
  for (let attempt = 0; attempt < 15; attempt++) {
    const { status } = await browser(product).call('/api/auth/sign-in/email', {
      json: { email: 'owner@example.com', password: `guess number ${attempt}` },
    })
    statuses.push(status)
  }
  assert.ok(statuses.includes(429), statuses.join(' '))
})

test('a Host that is no address is refused or ignored, and never an internal error', async () => {
  for (const host of ['localhost:99999', 'a%zz', '[::1', '', 'a b']) {
    for (const path of ['/api/auth/sign-in/email', '/api/auth/sign-out', '/api/auth/change-password']) {
      const status = await postWithHost(path, host)
      assert.ok(status >= 200 && status < 500, `${path} with Host "${host}": ${status}`)
    }
  }
})

/** fetch does not set Host. */
function postWithHost(path: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json', connection: 'close' }
    const asked = request(`${product.url}${path}`, { method: 'POST', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asked.on('error', reject)
    asked.end('{"email":"nobody@example.com","password":"not the password"}')
  })
}
