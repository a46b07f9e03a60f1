import { cutImages, maskSecrets } from '../../mask/index.ts'
import type { Blob } from '../../segment.ts'

/** A line as it is sent: without images, and without secrets unless they are to be kept. */
export function cleanLine(line: string, isRedacted: boolean): { line: string; blobs: Blob[] } {
  const cut = cutImages(line)
  return isRedacted ? { ...cut, line: maskSecrets(cut.line) } : cut
}
