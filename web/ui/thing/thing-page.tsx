import type { ReactNode } from 'react'
import { BackLink, type BackLinkProps } from '../back-link.tsx'
import { FactList, type Fact } from '../fact-list.tsx'
import { Page } from '../page.tsx'

interface ThingPageProps {
  /** The list that it is in. */
  back: BackLinkProps
  title: string
  description?: ReactNode
  actions?: ReactNode
  /** Those without a value are left out. */
  facts: readonly (Fact | false)[]
  /** Beside the sections, such as what is linked. */
  aside?: ReactNode
  /** Instead of the sections, where none of them has anything. */
  empty?: ReactNode
  /** The sections: one without anything renders nothing. */
  children: ReactNode
  /** What happened to it, below the sections or what stands in their place. */
  timeline?: ReactNode
}

/** The page of one thing: what it is, what belongs to it and what happened to it. */
export function ThingPage({
  back,
  title,
  description,
  actions,
  facts,
  aside,
  empty,
  children,
  timeline,
}: ThingPageProps) {
  return (
    <>
      <BackLink {...back} />
      <Page title={title} description={description} actions={actions} wide>
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem] lg:grid-rows-[auto_1fr]">
          <div className="min-w-0 lg:col-start-2">
            <FactList facts={facts.filter((fact) => fact !== false)} />
          </div>
          <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
            <div className="peer space-y-5 empty:hidden">{children}</div>
            <div className="hidden peer-empty:block">{empty}</div>
            <div className="mt-5 empty:hidden">{timeline}</div>
          </div>
          <div className="min-w-0 space-y-5 empty:hidden lg:col-start-2">{aside}</div>
        </div>
      </Page>
    </>
  )
}
