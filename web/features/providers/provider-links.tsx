import { Fragment } from 'react'
import { ExternalLink } from 'lucide-react'
import type { Provider } from '#vault/contract'
import { patternOf } from './prefixes.ts'

const isWebAddress = (address: string): boolean => /^https?:\/\//.test(address)

/** Where to get a key. A custom provider may have no such page. */
export function WhereToGetKey({ providers }: { providers: readonly Provider[] }) {
  const [provider] = providers
  if (!provider || !isWebAddress(provider.docs_url))
    return 'Stored encrypted. Lists show only its last four characters.'
  return (
    <>
      No key yet? <DocsLink provider={provider}>{`Get one from ${provider.name}`}</DocsLink>
    </>
  )
}

export function DocsLink({ provider, children }: { provider: Provider; children: string }) {
  if (!isWebAddress(provider.docs_url)) return null
  return (
    <a
      href={provider.docs_url}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1 font-medium text-accent underline-offset-2 hover:underline"
    >
      {children}
      <ExternalLink aria-label="(opens in a new tab)" className="size-3" />
    </a>
  )
}

/** "Models: claude-*" */
export function WhatGoesHere({ prefixes }: { prefixes: readonly string[] }) {
  return (
    <>
      Models named{' '}
      {prefixes.map((prefix, index) => (
        <Fragment key={prefix}>
          {index > 0 && (index === prefixes.length - 1 ? ' or ' : ', ')}
          <code className="font-mono text-xs whitespace-nowrap text-ink">{patternOf(prefix)}</code>
        </Fragment>
      ))}
    </>
  )
}
