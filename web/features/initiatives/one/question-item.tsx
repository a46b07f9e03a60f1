import { useState } from 'react'
import type { Question } from '#initiatives/contract'
import { Button } from '../../../ui/button.tsx'
import { errorOf } from '../../../ui/form-dialog.tsx'
import { MomentText } from '../../../ui/moment-text.tsx'
import { call } from '../../../api/client.ts'
import { initiativesKey, useInitiativeChange } from '../initiative-queries.ts'
import { DetailMenu } from './detail-menu.tsx'
import { InPlaceForm } from './in-place-form.tsx'
import type { Place } from './place.ts'
import { DeleteDialog } from '../../../ui/delete-dialog.tsx'
import { TextForm } from './text-form.tsx'
import { TextareaField } from '../../../ui/text-field.tsx'

interface QuestionItemProps {
  place: Place
  question: Question
}

export function QuestionItem({ place, question }: QuestionItemProps) {
  const [open, setOpen] = useState<'answer' | 'text' | 'remove' | undefined>()
  const close = () => setOpen(undefined)
  const { answer, answered_at } = question
  return (
    <li className="space-y-2">
      {open === 'text' ? (
        <TextForm
          place={place}
          label="Edit question"
          save={(path, text) =>
            call('PATCH', '/api/initiatives/{id}/questions/{detail}', { path, body: { text } })
          }
          detail={question.id}
          text={question.text}
          maxLength={2000}
          onClose={close}
        />
      ) : (
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <p className="text-sm [overflow-wrap:anywhere]">{question.text}</p>
            <p className="text-xs text-ink-faint">
              asked <MomentText time={question.created_at} />
            </p>
            {answer !== null && answered_at !== null && (
              <p className="mt-1.5 border-l-2 border-line-strong pl-3 text-sm [overflow-wrap:anywhere] text-ink-soft">
                {answer}
                <span className="block text-xs text-ink-faint">
                  answered <MomentText time={answered_at} />
                </span>
              </p>
            )}
          </div>
          {place.mayChange && open === undefined && (
            <Button size="small" onClick={() => setOpen('answer')}>
              {answer === null ? 'Answer' : 'Change answer'}
            </Button>
          )}
          {place.mayChange && (
            <DetailMenu
              noun="question"
              name={question.text}
              onEdit={() => setOpen('text')}
              onRemove={() => setOpen('remove')}
            />
          )}
        </div>
      )}
      {open === 'answer' && <AnswerForm place={place} question={question} onClose={close} />}
      {open === 'remove' && (
        <DeleteDialog
          queryKey={initiativesKey(place.groupId)}
          verb="Remove"
          remove={() =>
            call('DELETE', '/api/initiatives/{id}/questions/{detail}', {
              path: { id: place.initiative.id, detail: question.id },
            })
          }
          noun="question"
          onClose={close}
        >
          <p>{question.text}</p>
        </DeleteDialog>
      )}
    </li>
  )
}

function AnswerForm({ place, question, onClose }: QuestionItemProps & { onClose: () => void }) {
  const [answer, setAnswer] = useState(question.answer ?? '')
  const { mutate, isPending, error } = useInitiativeChange(place.groupId)
  const body = { answer: answer.trim() === '' ? null : answer.trim() }
  return (
    <InPlaceForm
      label={`Answer to “${question.text}”`}
      action="Save answer"
      busy={isPending}
      error={error}
      onSubmit={() =>
        mutate(
          () =>
            call('PATCH', '/api/initiatives/{id}/questions/{detail}', {
              path: { id: place.initiative.id, detail: question.id },
              body,
            }),
          { onSuccess: onClose },
        )
      }
      onCancel={onClose}
    >
      <TextareaField
        label="Answer"
        error={errorOf(error, 'answer')}
        {...(question.answer !== null && { hint: 'An empty answer opens the question again.' })}
        required={question.answer === null}
        autoFocus
        rows={2}
        maxLength={4000}
        value={answer}
        onChange={setAnswer}
      />
    </InPlaceForm>
  )
}
