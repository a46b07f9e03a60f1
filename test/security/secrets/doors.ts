import { providerNames, type Reply } from '../../fake-provider/index.ts'
import { exampleModels, type FakeProvider } from '../../harness/gateway.ts'
import type { RunningProcess } from '../../harness/process.ts'
import type { Answer, CallOptions } from '../../harness/product.ts'
import { typedSecrets, vendorKeys } from './planted.ts'
import type { Place } from './search.ts'

/** Found wherever it should be: shows that the search would have found a secret there. */
export const control = 'harmless-control-value'

export interface Planted {
  secrets: Record<string, string>
  /** The vendors whose key an upstream was sent. */
  sentUpstream: Set<string>
  responses: Place[]
}

const models = { ...exampleModels, custom: 'custom-model' }
type Vendor = keyof typeof models

/** Pushes every secret through every door that takes one, and through those that should not have got it. */
export async function plant(server: RunningProcess, fake: FakeProvider): Promise<Planted> {
  const responses: Place[] = []
  const call = async (path: string, options: CallOptions = {}): Promise<Answer> => {
    const answer = await server.call(path, options)
    const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
    responses.push({
      name: `response of ${options.method ?? ''} ${path.slice(0, 60)} (${answer.status})`,
      content: Buffer.from(`${headers}\n\n${answer.text}`),
    })
    return answer
  }
  const apiKey = (await server.call('/api/v1/keys', { json: { name: control } })).json.key as string
  await addVendorKeys(call, fake)
  const sentUpstream = await quoteUpstream(call, fake, apiKey)
  const cookie = await useAccount(server, call)
  const ownerToken = /\/\?token=(\S+)/.exec(server.output())?.[1] ?? ''
  await misplace(call, { ...vendorKeys, 'API key': apiKey, 'owner token': ownerToken, ...typedSecrets })
  return {
    secrets: {
      ...Object.fromEntries(Object.entries(vendorKeys).map(([name, key]) => [`${name} key`, key])),
      ...typedSecrets,
      'API key': apiKey,
      'owner token': ownerToken,
      'session cookie': cookie,
    },
    sentUpstream,
    responses,
  }
}

type Call = (path: string, options?: CallOptions) => Promise<Answer>
const asJson = { accept: 'application/json' }

/** By JSON, by form, to an account, and to a custom provider; the key of OpenRouter came by the environment. */
async function addVendorKeys(call: Call, fake: FakeProvider): Promise<void> {
  const { openai, anthropic, gemini, perplexity, custom } = vendorKeys
  await call('/providers/openai', { json: { api_key: openai, name: control }, headers: asJson })
  await call('/providers/anthropic', {
    method: 'POST',
    body: new URLSearchParams({ api_key: anthropic, name: 'by form' }).toString(),
    headers: { ...asJson, 'content-type': 'application/x-www-form-urlencoded' },
  })
  const account = await call('/providers/gemini/accounts', {
    json: { name: 'Research', account_email: 'ada@example.com' },
    headers: asJson,
  })
  await call(`/providers/accounts/${account.json.id}/keys`, { json: { api_key: gemini }, headers: asJson })
  await call('/providers/perplexity', { json: { api_key: perplexity }, headers: asJson })
  const base_url = fake.baseUrls.OPENAI_BASE_URL
  const provider = { id: 'custom', name: 'Custom', base_url, prefixes: ['custom-'], allow_private: true }
  await call('/providers', { json: provider, headers: asJson })
  const { status, text } = await call('/providers/custom', { json: { api_key: custom }, headers: asJson })
  if (status !== 201) throw new Error(`the custom key was not taken: ${text}`)
}

/** Upstreams that quote the key that they got, in every place that comes back. */
function quotes(key: string): Reply[] {
  const all = `${key} ${Buffer.from(key).toString('base64')} ${encodeURIComponent(key)}`
  const headers = {
    'x-ratelimit-limit-requests': encodeURIComponent(key),
    'x-request-id': Buffer.from(key).toString('base64'),
  }
  const error = { message: `Incorrect API key provided: ${all}`, type: key, code: key }
  return [
    { error: { status: 400, ...error }, headers },
    { error: { status: 401, ...error }, headers },
    { error: { status: 429, ...error }, headers },
    { error: { status: 500, ...error }, headers },
    {
      status: 400,
      body: { json: { error: { message: all, param: key, details: [{ [key]: key }] } } },
      headers,
    },
    { status: 502, body: `<html>${all}</html>`, headers },
    { streamError: { afterChunks: 1, ...error }, slice: 7, unchecked: true, headers },
  ]
}

async function quoteUpstream(call: Call, fake: FakeProvider, key: string): Promise<Set<string>> {
  const sent = new Set<string>()
  for (const vendor of Object.keys(models) as Vendor[])
    for (const reply of quotes(vendorKeys[vendor]))
      for (const stream of [false, true]) {
        fake.reset()
        for (const name of providerNames) fake.always(name, reply)
        const messages = [{ role: 'user', content: 'hello' }]
        const json = { model: models[vendor], messages, stream, user: control, metadata: { note: control } }
        await call('/v1/chat/completions', { key, json })
        await call('/v1/messages', { key, json: { model: models[vendor], messages, stream, max_tokens: 16 } })
        const arrived = fake.requests.map(
          ({ headers, query }) => `${JSON.stringify(headers)} ${query.get('key')}`,
        )
        if (arrived.some((each) => each.includes(JSON.stringify(vendorKeys[vendor]).slice(1, -1))))
          sent.add(vendor)
      }
  for (const reply of quotes(vendorKeys.openai)) {
    fake.reset()
    for (const name of providerNames) fake.always({ provider: name, endpoint: 'models' }, reply)
    await call('/providers/openai/models/sync', { method: 'POST', headers: asJson })
  }
  fake.reset()
  await call('/v1/chat/completions', {
    key,
    json: { model: models.openai, messages: [{ role: 'user', content: 'hello' }], user: control },
  })
  return sent
}

/** Joins, signs in, rightly and wrongly, and changes the password. Returns the session's cookie. */
async function useAccount(server: RunningProcess, call: Call): Promise<string> {
  const origin = { origin: server.url, 'x-owner-token': '' }
  const { json: me } = await server.call('/api/v1/me')
  const { json: invited } = await server.call(`/api/v1/groups/${me.group_id}/invitations`, {
    json: { role: 'admin' },
  })
  const token = new URL(invited.url as string).searchParams.get('token')
  const email = 'planted@example.com'
  const { password, 'new password': next, 'wrong password': wrong } = typedSecrets
  const joined = await server.call('/api/auth/invitation/accept', {
    json: { token, name: 'Planted', email, password },
    headers: origin,
  })
  const cookie = joined.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const headers = { ...origin, cookie }
  await call('/api/v1/me', { headers })
  await call('/api/auth/sign-in/email', { json: { email, password: wrong }, headers: origin })
  await call('/api/auth/sign-in/email', {
    body: `{"email": "${email}", "password": "${wrong}" broken`,
    headers: { ...origin, 'content-type': 'application/json' },
  })
  await call('/api/auth/sign-in/email', { json: { email: password, password: 5 }, headers: origin })
  await server.call('/api/auth/change-password', {
    json: { currentPassword: password, newPassword: next },
    headers,
  })
  return cookie.slice(cookie.indexOf('=') + 1)
}

/** People paste secrets into the wrong field: what is refused must not be kept either. */
async function misplace(call: Call, secrets: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, secret] of Object.entries(secrets)) {
    const escaped = encodeURIComponent(secret)
    const headers = { 'x-owner-token': '' }
    await call('/v1/chat/completions', {
      json: {},
      headers: { ...headers, authorization: `Bearer ${secret}` },
    })
    await call('/v1/messages', { json: {}, headers: { ...headers, 'x-api-key': secret } })
    await call('/api/v1/keys', { headers: { ...headers, cookie: `signalbox.session_token=${escaped}` } })
    await call('/api/v1/keys', { headers: { 'x-owner-token': secret } })
    // With the right token the response sets it as a cookie.
    if (name !== 'owner token') await call(`/?token=${escaped}`, { headers })
    await call(`/api/v1/logs?model=${escaped}`)
    await call(`/api/v1/logs?limit=${escaped}&key=${escaped}`)
    await call(`/api/auth/invitation?token=${escaped}`, { headers })
    await call(`/v1/no-such-route/${escaped}`, { headers })
    await call('/api/v1/keys', { headers: { 'x-group-id': secret } })
  }
}
