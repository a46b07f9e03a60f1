import type { Mutant } from './mutant.ts'

const envelope = { file: 'src/vault/envelope.ts', tests: ['src/vault/envelope.test.ts'] }
const choice = { file: 'src/vault/key-choice.ts', tests: ['src/vault/choice.test.ts'] }
const rights = { file: 'src/vault/rights.ts', tests: ['src/vault/rights.test.ts'] }
const keys = { file: 'src/access/key-cache.ts', tests: ['src/access/api-keys.test.ts'] }
const people = ['src/access/people.test.ts']
const scopes = ['src/access/scopes.test.ts']

export const secretMutants: readonly Mutant[] = [
  {
    guard: 'vault: a sealed data key is bound to its row and group',
    ...envelope,
    text: 'data key\\n${masterKeyId}\\n${groupId}\\n${keyId}`',
    replacement: 'data key\\n${masterKeyId}`',
  },
  {
    guard: 'vault: a sealed text that is cut is refused',
    ...envelope,
    text: 'if (bytes.length < nonceBytes + tagBytes) throw',
    replacement: 'if (bytes.length < 0) throw',
  },
  {
    guard: 'vault: every secret has a data key of its own',
    ...envelope,
    text: 'const dataKey = randomBytes(32)',
    replacement: 'const dataKey = Buffer.alloc(32)',
  },
  {
    guard: 'vault: a deactivated default key is passed over',
    ...choice,
    text: 'row.is_default && row.is_active',
    replacement: 'row.is_default',
    name: 'deactivated default',
  },
  {
    guard: 'vault: the default key comes before the oldest',
    ...choice,
    text: 'rows.find((row) => row.is_default && row.is_active) ??',
    replacement: '',
    name: 'the override goes before the default',
  },
  {
    guard: 'vault: a deactivated override is refused',
    ...choice,
    text: 'if (row?.is_active) return row',
    replacement: 'if (row) return row',
    name: 'an override that is inactive',
  },
  {
    guard: "vault: only admins change a group's keys",
    ...rights,
    text: "requireScope(principal, group, 'admin')",
    replacement: '',
  },
  {
    guard: "vault: a provider's complaint is kept without the key",
    file: 'src/vault/outcomes.ts',
    text: "error.replaceAll(key, '[the key]')",
    replacement: 'error',
    tests: ['src/vault/choice.test.ts'],
    name: 'how a key fared',
  },
  {
    guard: 'access: a revoked key is refused',
    ...keys,
    text: 'if (row.revoked_at)',
    replacement: 'if (row.id === "")',
    name: 'a revoked key is refused',
  },
  {
    guard: 'access: an expired key is refused',
    ...keys,
    text: 'if (row.expires_at && row.expires_at.getTime() <= Date.now())',
    replacement: 'if (row.id === "")',
    name: 'an expired key is refused',
  },
  {
    guard: 'access: a key of somebody who left the group is refused',
    ...keys,
    tests: people,
    text: 'if (row.created_by && !row.role)',
    replacement: 'if (row.id === "")',
    name: 'who leaves a group',
  },
  {
    guard: 'access: an API key without admin manages no keys',
    file: 'src/access/routes/keys.ts',
    text: "const change = { needs: 'read', keyNeeds: 'admin' } as const",
    replacement: "const change = { needs: 'read' } as const",
    tests: scopes,
    name: 'a key without the scope admin',
  },
  {
    guard: 'access: an API key without admin removes no member',
    file: 'src/access/routes/groups.ts',
    text: "keyNeeds: 'admin', ",
    replacement: '',
    tests: scopes,
    name: 'a key without the scope admin',
  },
  {
    guard: 'access: a key outlives neither the key above it nor its provider keys',
    file: 'src/access/api-keys.ts',
    text: 'if (!key) return\n',
    replacement: 'return\n',
    tests: scopes,
    name: 'a key created with a key',
  },
  {
    guard: 'access: a key has at most the scopes of the key above it',
    file: 'src/access/api-key-store.ts',
    text: 'key.scopes.filter((scope) => above.scopes.includes(scope))',
    replacement: 'key.scopes',
    tests: scopes,
    name: 'a key loses the scopes',
  },
  {
    guard: 'access: a key expires with the key above it',
    file: 'src/access/api-key-store.ts',
    text: 'expires_at: earlier(key.expires_at, above.expires_at),',
    replacement: '',
    tests: scopes,
    name: 'a key loses the scopes',
  },
  {
    guard: 'access: members and viewers do not list invitations',
    file: 'src/access/invitations.ts',
    text: "requireRole(group, 'owner', 'admin')\n      return store.listOpenInvitations",
    replacement: 'return store.listOpenInvitations',
    tests: people,
    name: 'a viewer reads, and changes nothing',
  },
  {
    guard: 'access: an invitation is used once',
    file: 'src/access/invitations.ts',
    text: 'if (!claimed) throw',
    replacement: 'if (claimed === undefined) throw',
    tests: people,
    name: 'the one-time link',
  },
  {
    guard: 'access: an invitation for one address is not for another',
    file: 'src/access/invitations.ts',
    text: 'if (invitation.email && invitation.email !== acceptance.email) {',
    replacement: 'if (acceptance.email === "") {',
    tests: people,
    name: 'an invitation for one address',
  },
  {
    guard: 'access: keys are read again after a change',
    ...keys,
    text: 'const invalidate = (): void => cache.invalidate()',
    replacement: 'const invalidate = (): void => undefined',
    name: 'a revoked key is refused',
  },
]
