import { useEffect } from 'react'
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { adviceFor } from '../api/advice.ts'
import { ApiError } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { checkServer } from './check-server.ts'
import { FullPage } from './full-page.tsx'

/** Shown in place of a page that failed: what happened and what to do. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const { title, next } = adviceFor(error)
  const isApiError = error instanceof ApiError
  // A file of the page that did not arrive may mean that the server is not there.
  useEffect(checkServer, [])
  const again = () => {
    reset()
    void router.invalidate()
  }
  return (
    <FullPage code={isApiError ? error.code : 'page_failed'} title={title}>
      <p role="alert">{next}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">
        <Button look="primary" icon={RotateCw} onClick={isApiError ? again : () => location.reload()}>
          {isApiError ? 'Try again' : 'Reload page'}
        </Button>
      </div>
    </FullPage>
  )
}
