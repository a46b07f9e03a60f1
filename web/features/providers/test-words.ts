import { toast } from 'sonner'
import type { KeyTest } from '#gateway/contract'

const titles: Record<KeyTest['status'], string> = {
  ok: 'Key works',
  refused: 'Key refused',
  failed: 'Key could not be tested',
  untested: 'Key not tested',
}

/** Says what came of a test. */
export function reportTest({ status, message }: KeyTest, before = ''): void {
  const show = status === 'ok' ? toast.success : status === 'untested' ? toast.info : toast.error
  show(`${before}${before === '' ? titles[status] : titles[status].toLowerCase()}`, { description: message })
}
