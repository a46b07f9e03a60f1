import { useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import { FileJson } from 'lucide-react'
import { call } from '../../api/client.ts'
import { buttonClass } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { ListSkeleton } from '../../ui/skeleton.tsx'
import { useAppliedTheme } from '../../ui/use-applied-theme.ts'
import { withClientExamples, type ApiDocument } from './client-examples.ts'
import { referenceOptions } from './reference-options.ts'

export function DocsPage() {
  const reference = useQuery({
    queryKey: ['api-reference'],
    queryFn: async () => {
      const [scalar, document] = await Promise.all([loadReference(), call('GET', '/openapi.json')])
      return { scalar, document: withClientExamples(document as unknown as ApiDocument, location.origin) }
    },
    staleTime: Infinity,
  })
  return (
    <Page
      wide
      title="API reference"
      description="Every route of this server, with schemas, examples and calls to copy."
      actions={
        <a href="/openapi.json" target="_blank" rel="noreferrer" className={buttonClass()}>
          <FileJson aria-hidden className="size-4" />
          OpenAPI document
        </a>
      }
    >
      {reference.error && <FailureNotice error={reference.error} onRetry={() => reference.refetch()} />}
      {reference.isPending && <ListSkeleton rows={6} />}
      {reference.data && <Reference {...reference.data} />}
    </Page>
  )
}

interface ReferenceProps {
  scalar: Awaited<ReturnType<typeof loadReference>>
  document: object
}

function Reference({ scalar, document }: ReferenceProps) {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef<ApiReference>(null)
  const theme = useAppliedTheme()
  const options = referenceOptions(document, theme)
  const latest = useRef(options)
  latest.current = options

  useEffect(() => {
    if (!place.current) return undefined
    const mounted = scalar.createApiReference(place.current, latest.current)
    shown.current = mounted
    // The page has its landmark already.
    place.current.querySelector('main')?.setAttribute('role', 'group')
    return () => mounted.destroy()
  }, [scalar])
  useEffect(() => shown.current?.updateConfiguration(latest.current), [theme])

  return <div ref={place} className="overflow-clip rounded-xl border border-line bg-surface shadow-low" />
}

/** As much of the script of @scalar/fastify-api-reference as the page uses. */
interface ApiReference {
  updateConfiguration(configuration: object): void
  destroy(): void
}

interface Scalar {
  createApiReference(element: HTMLElement, configuration: object): ApiReference
}

declare global {
  interface Window {
    Scalar?: Scalar
  }
}

let loading: Promise<Scalar> | undefined

/** Loads the script once; a failure can be retried. */
function loadReference(): Promise<Scalar> {
  loading ??= new Promise<Scalar>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = '/api-reference.js'
    script.addEventListener('load', () =>
      window.Scalar ? resolve(window.Scalar) : reject(new Error('The script is empty.')),
    )
    script.addEventListener('error', () =>
      reject(new Error("Can't load the API reference. Check that Signalbox is running.")),
    )
    document.head.append(script)
  }).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
