import { useState } from 'react'
import { ImageOff } from 'lucide-react'
import type { TranscriptMessage } from '#transcripts/contract'
import { bytesText } from '../../../ui/quantity.ts'
import { useSessionPlace } from './session-context.ts'

/** Types that the server returns as images; others are downloads. */
const shown = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Its height is fixed, so that the list does not move when it has loaded. */
export function MessageImage({ message }: { message: TranscriptMessage }) {
  const { groupId } = useSessionPlace()
  const [hasFailed, setFailed] = useState(false)
  const { image } = message
  if (!image)
    return (
      <p className="flex h-10 items-center gap-2 rounded-lg border border-dashed border-line-strong px-3 text-xs text-ink-faint">
        <ImageOff aria-hidden className="size-4" /> This image is not stored.
      </p>
    )
  // The browser loads it without the header that names the group.
  const address = `${image.url}${image.url.includes('?') ? '&' : '?'}group_id=${groupId}`
  const isShown = image.mime !== null && shown.has(image.mime) && !hasFailed
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener"
      title={`Open the image (${bytesText(image.bytes)})`}
      className="block w-fit rounded-lg border border-line bg-sunken p-1.5"
    >
      {isShown ? (
        <img
          src={address}
          alt={message.content ?? 'Image in the transcript'}
          loading="lazy"
          className="h-56 max-w-full min-w-24 object-contain"
          onError={() => setFailed(true)}
        />
      ) : (
        <span className="px-2 text-xs">
          {hasFailed ? 'The image cannot be shown. Download it' : 'Download attachment'} (
          {image.mime ?? 'unknown type'}, {bytesText(image.bytes)})
        </span>
      )}
    </a>
  )
}
