import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../../ui/dialog.tsx'
import { FailureNotice } from '../../../ui/notice.tsx'
import { counted } from '../../../ui/quantity.ts'
import { CheckField } from '../../../ui/text-field.tsx'
import type { ScreenProps } from '../screen.ts'
import { call } from '../../../api/client.ts'
import { useStandupCall } from '../standup-queries.ts'

/** Ends the stand-up. What is drafted then waits for approval on the next screen. */
export function EndDialog({ initiative, state, onClose }: ScreenProps & { onClose: () => void }) {
  const [isDrafting, setIsDrafting] = useState(true)
  const end = useStandupCall()
  const proposals = [...state.proposals.values()]
  const drafted = proposals.filter(({ status }) => status !== 'rejected').length
  const pending = proposals.filter(({ status }) => status === 'pending').length
  return (
    <Dialog
      open
      onClose={onClose}
      title="End stand-up?"
      description="The conversation stays readable, but nobody can add to it."
    >
      <DialogBody>
        <CheckField
          label="Draft the record"
          hint={
            drafted === 0
              ? 'Meeting notes. There is no proposal to draft.'
              : `Meeting notes, and a draft for ${counted(drafted, 'proposal')}.`
          }
          checked={isDrafting}
          onChange={setIsDrafting}
        />
        {isDrafting && pending > 0 && (
          <p className="text-sm text-ink-soft">
            {`${counted(pending, 'proposal')} ${pending === 1 ? 'is' : 'are'} neither accepted nor rejected, and will be drafted as a proposal.`}
          </p>
        )}
        <p className="text-sm text-ink-soft">Nothing is saved to the initiative until you approve it.</p>
        {end.error && <FailureNotice error={end.error} />}
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Continue talking</Button>
        <Button
          look="primary"
          busy={end.isPending}
          onClick={() =>
            end.mutate(
              () =>
                call('POST', '/api/initiatives/{id}/standup/end', {
                  path: { id: initiative.id },
                  body: { generate_artifacts: isDrafting },
                }),
              { onSuccess: onClose },
            )
          }
        >
          {end.isPending ? 'Drafting…' : 'End stand-up'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
