import { useCallback, useEffect, useRef, type RefCallback } from 'react'

const near = 160

interface FollowedEnd {
  /** Marks the end, within the element that grows. */
  end: RefCallback<HTMLElement>
  /** The reader looks at something else; scrolling back to the end follows it again. */
  pause: () => void
}

/** Keeps the marked end in view while what is before it grows, unless the reader has scrolled away from it. */
export function useFollowEnd(isLive: boolean): FollowedEnd {
  const marker = useRef<HTMLElement | null>(null)
  const isFollowing = useRef(true)
  const mayFollow = useRef(isLive)
  useEffect(() => {
    mayFollow.current = isLive
  }, [isLive])
  useEffect(() => {
    const onScroll = () => {
      const bottom = marker.current?.getBoundingClientRect().bottom ?? 0
      isFollowing.current = bottom <= innerHeight + near
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  const end = useCallback((element: HTMLElement | null) => {
    marker.current = element
    const content = element?.parentElement
    if (!content) return undefined
    let height = 0
    const observer = new ResizeObserver(() => {
      const hasGrown = content.offsetHeight > height
      height = content.offsetHeight
      if (hasGrown && mayFollow.current && isFollowing.current) element.scrollIntoView({ block: 'end' })
    })
    observer.observe(content)
    return () => observer.disconnect()
  }, [])
  const pause = useCallback(() => {
    isFollowing.current = false
  }, [])
  return { end, pause }
}
