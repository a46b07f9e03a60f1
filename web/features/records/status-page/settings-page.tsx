import { useState, type FormEvent } from 'react'
import { call } from '../../../api/client.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink, Globe } from 'lucide-react'
import { toast } from 'sonner'
import type { Service, StatusPage } from '#records/contract'
import { servicesQuery } from '../../../api/services.ts'
import type { CurrentGroup } from '../../../api/session.ts'
import { inGroup } from '../../../shell/no-group.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { FailureNotice, Notice } from '../../../ui/notice.tsx'
import { Card, Page } from '../../../ui/page.tsx'
import { ListSkeleton } from '../../../ui/skeleton.tsx'
import { errorOf } from '../../../ui/form-dialog.tsx'
import { recordQuery, useRecordChange } from '../record-queries.ts'
import { ServiceStateText } from '../services/service-state.tsx'
import { CheckField, TextField } from '../../../ui/text-field.tsx'

export const StatusPageSettings = inGroup(Settings)

function Settings({ group }: { group: CurrentGroup }) {
  const page = useQuery(recordQuery(group.id, '/api/status-page', {}))
  const services = useQuery(servicesQuery(group.id)).data ?? []
  const link = page.data?.is_enabled && page.data.slug !== null ? `/status/${page.data.slug}` : undefined
  return (
    <Page
      title="Status page"
      description="A public page that shows which services are up. Everyone with the address can read it, without signing in."
      actions={
        link !== undefined && (
          <a href={link} target="_blank" rel="noreferrer" className={buttonClass()}>
            <ExternalLink aria-hidden className="size-4" /> Open status page
          </a>
        )
      }
    >
      {page.error && <FailureNotice error={page.error} onRetry={() => page.refetch()} />}
      {page.isPending && <ListSkeleton />}
      {page.data && (
        <div className="space-y-5">
          {group.role !== 'owner' && (
            <Notice tone="info" title="Only owners change the status page">
              You can see its settings. Ask an owner of the group to change them.
            </Notice>
          )}
          <SettingsForm group={group} page={page.data} />
          <ShownServices services={services} />
        </div>
      )}
    </Page>
  )
}

function SettingsForm({ group, page }: { group: CurrentGroup; page: StatusPage }) {
  const [draft, setDraft] = useState({
    slug: page.slug ?? '',
    title: page.title,
    description: page.description,
    is_enabled: page.is_enabled,
  })
  const save = useRecordChange(group.id)
  const isOwner = group.role === 'owner'
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(
      () =>
        call('PUT', '/api/status-page', {
          body: { ...draft, slug: draft.slug.trim(), group_id: group.id },
        }),
      {
        onSuccess: () =>
          toast.success(draft.is_enabled ? 'Status page published' : 'Status page saved', {
            description: draft.is_enabled ? 'Everyone can read it now.' : 'It is not public.',
          }),
      },
    )
  }
  return (
    <Card title="Settings">
      <form onSubmit={submit}>
        <fieldset disabled={!isOwner} className="max-w-xl space-y-5">
          <TextField
            label="Title"
            required
            maxLength={100}
            placeholder="Example status"
            error={errorOf(save.error, 'title')}
            value={draft.title}
            onChange={(title) => change({ title })}
          />
          <TextField
            label="Address"
            hint={`${location.origin}/status/${draft.slug.trim() === '' ? '…' : draft.slug.trim()}`}
            required
            minLength={2}
            maxLength={63}
            placeholder="example"
            error={errorOf(save.error, 'slug')}
            value={draft.slug}
            onChange={(slug) => change({ slug })}
          />
          <TextField
            label="Description"
            maxLength={2_000}
            placeholder="Planned work is announced here."
            value={draft.description}
            onChange={(description) => change({ description })}
          />
          <CheckField
            label="Publish the page"
            hint="It shows titles, descriptions, states and uptime of public services, when incidents began and ended, and maintenance notes. No addresses, no errors."
            checked={draft.is_enabled}
            onChange={(is_enabled) => change({ is_enabled })}
          />
          {save.error && <FailureNotice error={save.error} />}
          <Button type="submit" look="primary" busy={save.isPending}>
            Save status page
          </Button>
        </fieldset>
      </form>
    </Card>
  )
}

function ShownServices({ services }: { services: readonly Service[] }) {
  const shown = services.filter(({ is_public }) => is_public)
  return (
    <Card
      title="Services on the page"
      description="Choose “Show on the status page” when you edit a service."
      action={
        <Link to="/services" className={buttonClass('plain', 'small')}>
          Open services
        </Link>
      }
    >
      {shown.length === 0 ? (
        <p className="flex items-center gap-2 text-sm text-ink-soft">
          <Globe aria-hidden className="size-4 text-ink-faint" /> No service is public yet: the page would be
          empty.
        </p>
      ) : (
        <ul className="divide-y divide-line text-sm">
          {shown.map((service) => (
            <li key={service.id} className="flex items-center justify-between gap-3 py-2">
              <Link
                to="/services/$name"
                params={{ name: service.name }}
                className="min-w-0 font-medium [overflow-wrap:anywhere] hover:underline"
              >
                {service.title}
              </Link>
              <ServiceStateText service={service} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
