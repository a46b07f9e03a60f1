import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Secret } from '#kernel/log'
import type { SecretStore } from '#vault'
import { insertLogin, loginOf } from './login-store.ts'
import type { LoginTables } from './tables.ts'

/** The passwords of the proxy's roles: made once, sealed in the key store, the same in every process. */
export interface Logins {
  /** Undefined: the role was never set up. */
  find(role: string): Promise<Secret | undefined>
  /** The password of the role, which is made if there is none. */
  ensure(role: string): Promise<Secret>
}

export function createLogins(
  db: Kysely<LoginTables>,
  secrets: SecretStore,
  firstGroup: () => Promise<string>,
): Logins {
  async function find(role: string): Promise<Secret | undefined> {
    const login = await loginOf(db, role)
    return login && (await secrets.open(login.group_id, login.secret_id))
  }
  return {
    find,
    async ensure(role) {
      const found = await find(role)
      if (found) return found
      const password = new Secret(randomBytes(24).toString('base64url'))
      const groupId = await firstGroup()
      const secretId = await secrets.put(groupId, password)
      if (await insertLogin(db, { role, group_id: groupId, secret_id: secretId })) return password
      // Another process was faster: its password counts.
      await secrets.remove(groupId, secretId)
      const other = await find(role)
      if (!other) throw new Error(`The login of ${role} was removed while it was made.`)
      return other
    },
  }
}
