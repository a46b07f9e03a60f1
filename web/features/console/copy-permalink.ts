import { toast } from 'sonner'
import { copyText } from '../../ui/copy-button.tsx'
import { permalink } from './console-address.ts'

export const copyPermalink = (id: string): void =>
  void copyText(permalink(location.origin, id)).then((isCopied) => isCopied && toast.success('Link copied'))
