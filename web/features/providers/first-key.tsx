import { Link } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import type { Provider } from '#vault/contract'
import { AddKeyForm } from './add-key-form.tsx'

const facts = [
  ['Shared by the whole group', 'Your apps call Signalbox with their own API keys and never see this one.'],
  ['Encrypted at rest', 'Lists show only its last four characters. Revealing it is audited.'],
] as const

/** Two of the providers as an example: `claude-…`, `gpt-…`. */
function routingFact(providers: readonly Provider[]) {
  const [first = '', second = ''] = providers.map(({ prefixes, name }) => `${prefixes[0]}… goes to ${name}`)
  return ['Routed by model name', `${first}, ${second}, and so on. Nothing else to set up.`] as const
}

/** Shown above the providers until the first key is added: what a key does, and where to paste it. */
export function FirstKey({ groupId, providers }: { groupId: string; providers: Provider[] }) {
  return (
    <section
      aria-labelledby="first-key"
      className="grid overflow-hidden rounded-2xl border border-line bg-surface shadow-low md:grid-cols-2"
    >
      <div className="p-6 sm:p-8">
        <span className="grid size-11 place-items-center rounded-xl border border-line bg-surface text-accent shadow-low">
          <Network aria-hidden className="size-5" />
        </span>
        <h2 id="first-key" className="mt-4 text-lg font-semibold">
          Add your first provider key
        </h2>
        <p className="mt-1 text-pretty text-ink-soft">
          Models are available once a provider has a key. Paste one here, then try it in the{' '}
          <Link to="/playground" className="font-medium text-accent underline underline-offset-2">
            playground
          </Link>
          .
        </p>
        <ul className="mt-5 space-y-3">
          {[...facts, routingFact(providers)].map(([title, text]) => (
            <li key={title} className="border-l-2 border-primary pl-3">
              <p className="text-sm font-medium">{title}</p>
              <p className="text-sm text-ink-soft">{text}</p>
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-col border-t border-line bg-sunken/60 md:border-t-0 md:border-l">
        <AddKeyForm groupId={groupId} providers={providers} />
      </div>
    </section>
  )
}
