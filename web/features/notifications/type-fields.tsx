import { Sparkles } from 'lucide-react'
import type { Channel } from '#notifications/contract'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Field } from '../../ui/field.tsx'
import { errorOf } from '../../ui/form-dialog.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'
import { CheckField, TextareaField, TextField } from '../../ui/text-field.tsx'
import { newSecret, type ChannelDraft } from './channel-draft.ts'

interface TypeFieldsProps {
  draft: ChannelDraft
  channel: Channel | undefined
  error: unknown
  onChange: (part: Partial<ChannelDraft>) => void
}

/** Where the messages of this type go, and the secret for it. */
export function TypeFields(props: TypeFieldsProps) {
  const { draft, channel, error, onChange } = props
  if (draft.type === 'email')
    return (
      <TextareaField
        label="To"
        required
        rows={1}
        placeholder="team@example.com"
        hint="Up to 20 addresses, separated by commas."
        error={messageFor(error, 'config.to') ?? errorOf(error, 'type')}
        value={draft.to}
        onChange={(to) => onChange({ to })}
      />
    )
  if (draft.type === 'pagerduty')
    return (
      <SecretField
        label="Integration key"
        hint="In PagerDuty: Services, your service, Integrations, Events API v2."
        kept={channel?.config.routing_key_suffix}
        error={errorOf(error, 'config.routing_key')}
        value={draft.routingKey}
        onChange={(routingKey) => onChange({ routingKey })}
      />
    )
  return (
    <>
      {draft.type === 'webhook' ? <WebhookFields {...props} /> : <SecretAddress {...props} />}
      <CheckField
        label="In a private network"
        hint="The operator must also allow private networks, with UPSTREAM_PRIVATE=1."
        checked={draft.allowPrivate}
        onChange={(allowPrivate) => onChange({ allowPrivate })}
      />
      {errorOf(error, 'config.allow_private') !== undefined && (
        <p className="text-xs text-danger">{errorOf(error, 'config.allow_private')}</p>
      )}
    </>
  )
}

function WebhookFields({ draft, channel, error, onChange }: TypeFieldsProps) {
  return (
    <>
      <TextField
        label="URL"
        type="url"
        required
        placeholder="https://hooks.example.com/signalbox"
        error={errorOf(error, 'config.url')}
        value={draft.url}
        onChange={(url) => onChange({ url })}
      />
      <div>
        <SecretField
          label="Secret"
          hint="Signs every request: x-signalbox-signature. Enter it at the receiver too; it is not shown again."
          kept={channel?.config.secret_suffix}
          error={errorOf(error, 'config.secret')}
          value={draft.secret}
          onChange={(secret) => onChange({ secret })}
        />
        <div className="mt-2 flex gap-2">
          <Button size="small" icon={Sparkles} onClick={() => onChange({ secret: newSecret() })}>
            Generate secret
          </Button>
          {draft.secret !== '' && <CopyButton text={draft.secret} what="secret" className="size-7" />}
        </div>
      </div>
    </>
  )
}

const addressHints = {
  slack: 'An incoming webhook of Slack: api.slack.com/apps, your app, Incoming Webhooks.',
  teams: 'In Teams: Workflows, “Post to a channel when a webhook request is received”.',
}

/** Anyone who has the address may write there, so it is kept like a key. */
function SecretAddress({ draft, channel, error, onChange }: TypeFieldsProps) {
  return (
    <SecretField
      label="Webhook URL"
      hint={addressHints[draft.type === 'teams' ? 'teams' : 'slack']}
      kept={channel?.config.url_suffix}
      error={errorOf(error, 'config.url')}
      value={draft.url}
      onChange={(url) => onChange({ url })}
    />
  )
}

interface SecretFieldProps {
  label: string
  hint: string
  /** The end of the one that is stored, which stays if the field is empty. */
  kept: string | undefined
  error: string | undefined
  value: string
  onChange: (value: string) => void
}

function SecretField({ label, hint, kept, error, value, onChange }: SecretFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(ids) => (
        <PasswordInput
          {...ids}
          required={kept === undefined}
          autoComplete="off"
          placeholder={kept === undefined ? undefined : `Unchanged: …${kept}`}
          value={value}
          onValue={onChange}
          what={label.toLowerCase()}
        />
      )}
    </Field>
  )
}

/** For fields of a list, such as the second address. */
function messageFor(error: unknown, field: string): string | undefined {
  const found = [field, ...Array.from({ length: 20 }, (_, place) => `${field}.${place}`)]
  return found.map((name) => errorOf(error, name)).find((message) => message !== undefined)
}
