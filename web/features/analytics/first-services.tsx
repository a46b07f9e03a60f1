import { useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'

const maxShown = 10

interface FirstServicesProps<Service> {
  services: readonly Service[]
  children: (shown: readonly Service[]) => ReactNode
}

/** The first of many services; the others are shown on request. */
export function FirstServices<Service>({ services, children }: FirstServicesProps<Service>) {
  const [isAll, setAll] = useState(false)
  return (
    <div className="space-y-3">
      {children(isAll ? services : services.slice(0, maxShown))}
      {services.length > maxShown && (
        <div className="flex justify-center">
          <Button onClick={() => setAll(!isAll)}>
            {isAll ? 'Show fewer services' : `Show all ${services.length} services`}
          </Button>
        </div>
      )}
    </div>
  )
}
