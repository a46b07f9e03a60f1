import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/button.tsx'
import { FullPage } from './full-page.tsx'

export function NotFoundPage() {
  return (
    <FullPage sign="404" title="No line leads here">
      <p>The address is mistyped, or the page belongs to a part that this box does not have.</p>
      <div className="mt-6 flex justify-center">
        <Link to="/" className={buttonClass('primary')}>
          To the overview
        </Link>
      </div>
    </FullPage>
  )
}
