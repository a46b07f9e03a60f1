import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Fault, faults } from '#kernel/errors'
import { Secret } from '#kernel/log'
import type { SecretStore } from '#vault'
import { insertLogin, loginOf, loginsOf } from './login-store.ts'
import type { DatabaseTables } from './tables.ts'

/** The passwords of the proxy's roles: made once, sealed in the key store, the same in every process. */
export interface Logins {
  /** Undefined: none was ever made. That there is one does not say that the role exists: see sql.setups. */
  find(role: string): Promise<Secret | undefined>
  /** The password of the role, which is made if there is none. */
  ensure(groupId: string, role: string): Promise<Secret>
  remove(roles: readonly string[]): Promise<void>
}

export function createLogins(db: Kysely<DatabaseTables>, secrets: SecretStore): Logins {
  async function find(role: string): Promise<Secret | undefined> {
    const login = await loginOf(db, role)
    return login && (await secrets.open(login.group_id, login.secret_id))
  }
  return {
    find,
    async ensure(groupId, role) {
      const found = await find(role)
      if (found) return found
      const password = new Secret(randomBytes(24).toString('base64url'))
      const secretId = await secrets.put(groupId, password)
      if (await insertLogin(db, { role, group_id: groupId, secret_id: secretId })) return password
      // Another process was faster: its password counts.
      await secrets.remove(groupId, secretId)
      const other = await find(role)
      if (!other)
        throw new Fault(faults.conflict, 'The database was removed while it was set up. Add it again first.')
      return other
    },
    async remove(roles) {
      // The rows go with their secrets.
      for (const { group_id, secret_id } of await loginsOf(db, roles))
        await secrets.remove(group_id, secret_id)
    },
  }
}
