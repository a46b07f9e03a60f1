import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProduct, type Answer } from '#test/product'

const product = await startProduct({ AUTH: 'required' })
const password = 'correct horse battery'

interface Browser {
  call(path: string, json?: object, method?: string): Promise<Answer>
}

function accept(token: string, email: string): Promise<Answer> {
  return product.call('/api/auth/invitation/accept', {
    json: { token, name: 'Someone', email, password },
    headers: { origin: product.url },
  })
}

async function join(token: string, email: string): Promise<Browser> {
  const joined = await accept(token, email)
  assert.equal(joined.status, 200, joined.text)
  const cookie = joined.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  return {
    call: (path, json, method) =>
      product.call(path, {
        headers: { cookie, origin: product.url },
        ...(json && { json }),
        ...(method && { method }),
      }),
  }
}

const owner = await join(product.first.ownerToken?.reveal() ?? '', 'owner@example.com')
const { json: me } = await owner.call('/api/v1/me')
/** Tests delete groups, the first one too. */
const groupIds = async (): Promise<string[]> =>
  (await owner.call('/api/v1/groups')).json.data.map(({ id }: { id: string }) => id)

async function newGroup(name: string): Promise<string> {
  const made = await owner.call('/api/v1/groups', { name })
  assert.equal(made.status, 201, made.text)
  return made.json.id as string
}

async function link(role: string, group?: string): Promise<string> {
  const id = group ?? (await groupIds())[0]
  const { json } = await owner.call(`/api/v1/groups/${id}/invitations`, { role })
  return new URL(json.url).searchParams.get('token') ?? ''
}

const sorted = (answers: Answer[]): number[] => answers.map(({ status }) => status).toSorted((a, b) => a - b)

/** A lost race is reported as what it is. */
function assertNoFailure(answers: Answer[], ...lost: number[]): void {
  for (const { status, text } of answers)
    assert.ok(status < 300 || lost.includes(status), `${status} ${text}`)
}

test('of two accounts made at once with one address one wins, and the other gets an error', async () => {
  for (let round = 0; round < 3; round++) {
    const email = `twin${round}@example.com`
    const tokens = await Promise.all([link('member'), link('viewer')])
    const answers = await Promise.all(tokens.map((token) => accept(token, email)))
    assert.ok(answers.some(({ status }) => status === 200))
    assertNoFailure(answers, 409)
  }
})

test('a link that several use at once makes one member', async () => {
  const token = await link('member')
  const emails = ['a', 'b', 'c'].map((name) => `${name}@link.example`)
  assert.deepEqual(sorted(await Promise.all(emails.map((email) => accept(token, email)))), [200, 409, 409])
})

test('groups that are deleted at the same moment leave one', async () => {
  for (let round = 0; round < 3; round++) {
    await newGroup(`Second ${round}`)
    const ids = await groupIds()
    const answers = await Promise.all(
      ids.map((id) => owner.call(`/api/v1/groups/${id}`, undefined, 'DELETE')),
    )
    assert.deepEqual(sorted(answers), [204, 409])
    assert.equal((await groupIds()).length, 1)
  }
})

test('two owners who each delete another group leave one', async () => {
  const ids = [(await groupIds())[0] ?? '', await newGroup('Second')]
  const other = await join(await link('owner', ids[0]), 'second-owner@example.com')
  await accept(await link('owner', ids[1]), 'second-owner@example.com')
  const answers = await Promise.all([
    owner.call(`/api/v1/groups/${ids[0]}`, undefined, 'DELETE'),
    other.call(`/api/v1/groups/${ids[1]}`, undefined, 'DELETE'),
  ])
  assert.deepEqual(sorted(answers), [204, 409])
})

test('what is added to a group that is being deleted is refused as not found', async () => {
  for (let round = 0; round < 3; round++) {
    const id = await newGroup(`Short-lived ${round}`)
    const token = await link('member', id)
    const answers = await Promise.all([
      owner.call(`/api/v1/groups/${id}`, undefined, 'DELETE'),
      owner.call('/api/v1/keys', { name: 'late', group_id: id }),
      owner.call(`/api/v1/groups/${id}`, { name: 'Renamed' }, 'PATCH'),
      owner.call(`/api/v1/groups/${id}/invitations`, { role: 'viewer' }),
      accept(token, `late${round}@example.com`),
    ])
    assert.equal(answers[0]?.status, 204)
    assertNoFailure(answers, 404, 409)
  }
})

test('owners who remove and demote each other at once leave an owner', async () => {
  const id = await newGroup('Quarrel')
  const other = await join(await link('owner', id), 'rival@example.com')
  const { json: rival } = await other.call('/api/v1/me')
  const members = `/api/v1/groups/${id}/members`
  const answers = await Promise.all([
    owner.call(`${members}/${rival.user.id}`, undefined, 'DELETE'),
    other.call(`${members}/${me.user.id}`, { role: 'viewer' }, 'PATCH'),
  ])
  // Who was demoted before their own request was read is refused.
  assertNoFailure(answers, 403, 404, 409)
  const seen = [await owner.call(members), await other.call(members)].find(({ status }) => status === 200)
  assert.ok(seen?.json.data.some(({ role }: { role: string }) => role === 'owner'))
})

test('a link raises the role of a member and never lowers it', async () => {
  const id = await newGroup('Roles')
  const email = 'admin-already@example.com'
  const person = await join(await link('admin', id), email)
  const roleNow = async () => (await person.call('/api/v1/me')).json.groups[0].role as string
  for (const role of ['viewer', 'member', 'admin']) {
    assert.equal((await accept(await link(role, id), email)).status, 200)
    assert.equal(await roleNow(), 'admin')
  }
  await accept(await link('viewer', id), 'owner@example.com')
  const { json } = await owner.call('/api/v1/groups')
  assert.equal(json.data.find((each: { id: string }) => each.id === id).role, 'owner')
  await accept(await link('owner', id), email)
  assert.equal(await roleNow(), 'owner')
})
