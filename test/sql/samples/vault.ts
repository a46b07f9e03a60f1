import * as accounts from '../../../src/vault/account-store.ts'
import * as keys from '../../../src/vault/key-store.ts'
import * as master from '../../../src/vault/master-key-store.ts'
import * as secrets from '../../../src/vault/secret-store.ts'
import * as serverSecrets from '../../../src/vault/server-secret-store.ts'
import type { VaultTables } from '../../../src/vault/tables.ts'
import type { Sample } from '../snapshot.ts'
import { at, id } from './values.ts'

const account = {
  group_id: id,
  provider_id: 'provider',
  is_custom: false,
  name: 'name',
  account_email: null,
  account_phone: null,
}

const key = {
  id,
  provider_account_id: id,
  group_id: id,
  provider_id: 'provider',
  user_id: id,
  name: 'name',
  key_suffix: 'abcd',
}

const state = {
  is_default: false,
  weight: 1,
  pooled: false,
  is_active: true,
  last_used_at: at,
  last_error: null,
  last_error_at: null,
  created_at: at,
}

export const vault: Sample = async ({ tables, answer }) => {
  const db = tables<VaultTables>()
  await serverSecrets.findServerSecret(db, 'name')
  await serverSecrets.insertServerSecret(db, { id, name: 'name', encrypted_value: 'sealed' })
  await serverSecrets.deleteServerSecrets(db)
  await accounts.insertAccount(db, account)
  await accounts.findAccountByName(db, id, 'provider', 'name')
  await accounts.findAccount(db, [id], id)
  await accounts.listAccounts(db, id)
  await accounts.updateAccount(db, id, { name: 'name', account_email: null, account_phone: null })
  answer([{ id }])
  await accounts.deleteAccount(db, id)

  await keys.listInUse(db)
  await keys.updateKey(db, id, { name: 'name' })
  await keys.updateKey(db, id, { weight: 2, pooled: true })
  await keys.updateKey(db, id, { replaced: { encrypted_key: 'sealed', key_suffix: '1234' } })
  await keys.insertKey(db, { ...key, encrypted_key: 'sealed' })
  await keys.listKeys(db, id)
  await keys.refusedKeys(db, id)
  await keys.keyNames(db, id)
  await keys.listKeysOfAccount(db, id)
  await keys.listChoosable(db, id)
  await keys.hasKeysFor(db, id, 'provider')
  await keys.findKey(db, [id], id)
  await keys.sealedText(db, id)
  await keys.setActive(db, id, true)
  await keys.deleteKey(db, id)
  await keys.setDefault(db, { ...key, ...state })
  await keys.saveOutcomes(db, new Map([[id, { at, error: null }]]))

  await master.masterKeyInForce(db)
  await db.transaction().execute((transaction) => master.holdMasterKey(transaction, 'own'))
  await db.transaction().execute((transaction) => master.putInForce(transaction, 'next'))
  await master.hasKeys(db)
  for (const column of master.sealedColumns) {
    await master.holdSealed(db, column, id, 500)
    await master.saveSealed(db, column, [{ id, group_id: id, text: 'sealed' }])
    answer([])
    await master.sealedRows(db, column).next()
  }
  answer([{ count: 1 }])
  await master.countSealed(db)
  await master.deleteSealed(db)

  await secrets.insertSecret(db, id, id, 'sealed')
  await secrets.sealedSecret(db, id, id)
  await secrets.deleteSecret(db, id, id)
}
