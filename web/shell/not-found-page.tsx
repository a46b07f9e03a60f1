import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/button.tsx'
import { FullPage } from './full-page.tsx'

export function NotFoundPage() {
  return (
    <FullPage code="404" title="Page not found">
      <p>Check the address, or start from the overview.</p>
      <div className="mt-6 flex justify-center">
        <Link to="/" className={buttonClass('primary')}>
          Go to overview
        </Link>
      </div>
    </FullPage>
  )
}
