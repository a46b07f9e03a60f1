import { toast } from 'sonner'
import type { KeyTest } from '#gateway/contract'
import type { Provider } from '#vault/contract'

const titles: Record<KeyTest['status'], string> = {
  ok: 'Key works',
  refused: 'Key refused',
  failed: 'Key could not be tested',
  untested: 'Key not tested',
}

const shows = { ok: toast.success, refused: toast.error, failed: toast.error, untested: toast.info }

/** Says what came of a test. */
export function reportTest({ status, message }: KeyTest): void {
  shows[status](titles[status], { description: message })
}

/** Says that a key was stored, and what came of its test. */
export function reportAdded(provider: Provider | undefined, test: KeyTest | null): void {
  const added = `${provider?.name ?? 'Provider'} key added`
  if (test === null) toast.success(added)
  else shows[test.status](`${added}: ${titles[test.status].toLowerCase()}`, { description: test.message })
}
