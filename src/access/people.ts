import { randomBytes, randomUUID } from 'node:crypto'
import { PostgresDialect } from 'kysely'
import type { Person } from '#kernel/auth'
import { isLoopback, type Config } from '#kernel/config'
import type { Database } from '#kernel/db'
import { Fault, faults, notFound } from '#kernel/errors'
import type { Log, Secret } from '#kernel/log'
import { endSessions } from './session-store.ts'
import { accountHooks, isIdTokenForUs, issuerPlugins } from './single-sign-on.ts'

export interface SessionUser extends Person {
  emailVerified: boolean
}

/** Passwords, sessions and single sign-on, by better-auth. */
export interface People {
  sessionUser(headers: Headers): Promise<SessionUser | null>
  createOrVerify(given: {
    name: string
    email: string
    password: string
  }): Promise<{ person: Person; isNew: boolean }>
  /** A session for a user who has just been authenticated; not subject to the limit on sign-in attempts. */
  signIn(email: string, password: string, headers: Headers): Promise<Response>
  setPassword(email: string): Promise<string>
  remove(userId: string): Promise<void>
  signOutEverywhere(userId: string): Promise<void>
  /** Passes a request to better-auth's own routes. */
  handle(request: Request): Promise<Response>
}

const sessionSeconds = 30 * 24 * 3600
const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

export interface PeopleDeps {
  database: Database
  config: Config
  secret: Secret
  log: Log
  /** Where this server listens; empty until it does. */
  address(): string
}

export function createPeople(deps: PeopleDeps): People {
  const { database } = deps
  let loading: ReturnType<typeof loadAuth> | undefined
  // Loaded on first use: some 30 MB that an installation without sign-in never needs.
  const load = () => (loading ??= loadAuth(deps))

  /** An issuer that could not be reached at the first use may be reached now. */
  async function loadWithIssuer() {
    const loaded = await load()
    if (await hasIssuer(loaded, deps.config)) return loaded
    const again = loadAuth(deps)
    if (!(await hasIssuer(await again, deps.config))) return loaded
    loading = again
    return again
  }

  async function verify(email: string, password: string): Promise<void> {
    const auth = await load()
    try {
      await auth.api.signInEmail({ body: { email, password } })
    } catch {
      throw new Fault(
        faults.conflict,
        'There is already an account with this email address and a different password. Enter that password to join.',
        {
          param: 'password',
        },
      )
    }
  }

  return {
    async sessionUser(headers) {
      const auth = await load()
      const session = await auth.api.getSession({ headers }).catch((cause: unknown) => {
        throw signInUnavailable(cause)
      })
      if (!session) return null
      const { id, name, email, emailVerified } = session.user
      return { id, name, email, emailVerified }
    },

    async createOrVerify({ name, email, password }) {
      const context = await (await load()).$context
      const known = await context.internalAdapter.findUserByEmail(email)
      if (known) {
        await verify(email, password)
        return { person: known.user, isNew: false }
      }
      const person = await context.internalAdapter
        .createUser({ name, email, emailVerified: false }, { method: 'email-password' })
        .catch(async (error: unknown) => {
          const isLate = await context.internalAdapter.findUserByEmail(email)
          if (!isLate) throw error
          throw new Fault(faults.conflict, 'This email address was used to join a moment ago. Try again.', {
            param: 'email',
            cause: error,
          })
        })
      await context.internalAdapter.linkAccount({
        userId: person.id,
        accountId: person.id,
        providerId: 'credential',
        password: await context.password.hash(password),
      })
      return { person, isNew: true }
    },

    async signIn(email, password, headers) {
      return (await load()).api.signInEmail({ body: { email, password }, headers, asResponse: true })
    },

    async setPassword(email) {
      const context = await (await load()).$context
      const known = await context.internalAdapter.findUserByEmail(email, { includeAccounts: true })
      if (!known) throw notFound(`A user ${email}`)
      const password = randomBytes(12).toString('base64url')
      const hash = await context.password.hash(password)
      const hasPassword = known.accounts.some((account) => account.providerId === 'credential')
      if (hasPassword) await context.internalAdapter.updatePassword(known.user.id, hash)
      else
        await context.internalAdapter.linkAccount({
          userId: known.user.id,
          accountId: known.user.id,
          providerId: 'credential',
          password: hash,
        })
      await context.internalAdapter.deleteUserSessions(known.user.id)
      return password
    },

    async remove(userId) {
      await (await (await load()).$context).internalAdapter.deleteUser(userId)
    },

    signOutEverywhere: (userId) => endSessions(database.identity.tables(), userId),

    async handle(request) {
      const isForIssuer = /\/(sign-in\/social|callback\/)/.test(new URL(request.url).pathname)
      return (await (isForIssuer ? loadWithIssuer() : load())).handler(request)
    },
  }
}

/** better-auth hides why it failed, and of what it does only the database can fail. */
export const signInUnavailable = (cause: unknown): Fault =>
  new Fault(
    faults.unavailable,
    'Sign-in is unavailable: the database does not respond. Try again in a moment.',
    {
      headers: { 'retry-after': '2' },
      cause,
    },
  )

async function loadAuth(deps: PeopleDeps) {
  const { config } = deps
  const { betterAuth } = await import('better-auth')
  const auth = betterAuth({ ...options(deps), plugins: await issuerPlugins(config) })
  for (const { idToken } of (await auth.$context).socialProviders)
    if (idToken && 'jwks' in idToken)
      idToken.verifyClaims = (claims) => isIdTokenForUs(config.OIDC_CLIENT_ID ?? '', claims)
  return auth
}

/** better-auth leaves out an issuer whose settings it could not fetch. */
async function hasIssuer(auth: Awaited<ReturnType<typeof loadAuth>>, { OIDC_ISSUER }: Config) {
  if (!OIDC_ISSUER) return true
  return (await auth.$context).socialProviders.some(({ id }) => id === 'oidc')
}

function baseOf({ config, address }: PeopleDeps): string {
  if (config.PUBLIC_URL) return config.PUBLIC_URL
  const listening = address()
  // With PORT=0 the system chooses the port.
  const port = listening === '' ? config.PORT : new URL(listening).port
  return `http://${isLoopback(config.HOST) ? 'localhost' : config.HOST}:${port}`
}

function options(deps: PeopleDeps) {
  const { database, secret, log } = deps
  const base = baseOf(deps)
  return {
    appName: 'Signalbox',
    baseURL: base,
    basePath: '/api/auth',
    secret: secret.reveal(),
    database: {
      dialect: new PostgresDialect({ pool: database.identity.pool }),
      type: 'postgres' as const,
      schemaName: 'access',
      transaction: true,
    },
    // Our own guard has already compared Origin and Host.
    trustedOrigins: (request?: Request) => [base, request?.headers.get('origin')],
    emailAndPassword: { enabled: true, disableSignUp: true, minPasswordLength: 10, maxPasswordLength: 256 },
    session: {
      modelName: 'sessions',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...times,
      },
      expiresIn: sessionSeconds,
    },
    user: { modelName: 'users', fields: { emailVerified: 'email_verified', ...times } },
    account: {
      modelName: 'accounts',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
      storeAccountCookie: false,
      // Addresses of our own accounts are never verified; see accountHooks.
      accountLinking: { requireLocalEmailVerified: false },
    },
    databaseHooks: { account: accountHooks(database.identity.tables()) },
    verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', ...times } },
    rateLimit: {
      enabled: true,
      window: 60,
      max: 300,
      // By address alone one person would lock out all who share it: passwords have limits of their own.
      customRules: {
        '/sign-in/email': false as const,
        '/change-password': false as const,
        '/sign-in/social': { window: 60, max: 300 },
      },
    },
    telemetry: { enabled: false },
    onAPIError: { errorURL: '/sign-in' },
    logger: {
      log: (level: string, message: string) =>
        log[level === 'error' ? 'warn' : 'debug']({ source: 'better-auth' }, message),
    },
    advanced: {
      cookiePrefix: 'signalbox',
      useSecureCookies: !isLoopback(new URL(base).hostname),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' as const },
      database: { generateId: () => randomUUID() },
    },
  }
}
