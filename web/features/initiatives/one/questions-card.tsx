import { useState } from 'react'
import { Plus } from 'lucide-react'
import { questionCategories, type Question } from '#initiatives/contract'
import { Button } from '../../../ui/button.tsx'
import { errorOf } from '../../../ui/form-dialog.tsx'
import { Card } from '../../../ui/page.tsx'
import { ChoiceField, TextField } from '../../../ui/text-field.tsx'
import { categoryChoices, categoryNames } from '../initiative-words.ts'
import { call } from '../../../api/client.ts'
import { useInitiativeChange } from '../initiative-queries.ts'
import { InPlaceForm } from './in-place-form.tsx'
import type { Place } from './place.ts'
import { QuestionItem } from './question-item.tsx'

export function QuestionsCard({ place }: { place: Place }) {
  const [isAdding, setIsAdding] = useState(false)
  const { open_questions: all } = place.initiative
  const open = all.filter(({ answered_at }) => answered_at === null)
  const answered = all.filter(({ answered_at }) => answered_at !== null)
  return (
    <Card
      title="Open questions"
      description="What has to be decided or cleared up, by category."
      action={
        place.mayChange && (
          <Button size="small" icon={Plus} onClick={() => setIsAdding(true)}>
            Add question
          </Button>
        )
      }
    >
      <div className="space-y-5">
        {open.length === 0 && !isAdding && <p className="text-sm text-ink-faint">No open questions.</p>}
        {questionCategories.map((category) => {
          const questions = open.filter((question) => question.category === category)
          return (
            questions.length > 0 && (
              <section key={category} aria-label={categoryNames[category]}>
                <h3 className="mb-2 text-xs font-medium text-ink-faint">{categoryNames[category]}</h3>
                <Questions place={place} questions={questions} />
              </section>
            )
          )
        })}
        {isAdding && <QuestionForm place={place} onClose={() => setIsAdding(false)} />}
        {answered.length > 0 && (
          <details>
            <summary className="w-fit cursor-pointer text-sm text-ink-soft hover:text-ink">
              {`${answered.length} answered`}
            </summary>
            <div className="mt-3">
              <Questions place={place} questions={answered} />
            </div>
          </details>
        )}
      </div>
    </Card>
  )
}

function Questions({ place, questions }: { place: Place; questions: readonly Question[] }) {
  return (
    <ul className="space-y-3">
      {questions.map((question) => (
        <QuestionItem key={question.id} place={place} question={question} />
      ))}
    </ul>
  )
}

function QuestionForm({ place, onClose }: { place: Place; onClose: () => void }) {
  const [text, setText] = useState('')
  const [category, setCategory] = useState<Question['category']>('direction')
  const { mutate, isPending, error } = useInitiativeChange(place.groupId)
  const body = { text: text.trim(), category }
  return (
    <InPlaceForm
      label="Add question"
      action="Add question"
      busy={isPending}
      error={error}
      onSubmit={() =>
        mutate(
          () => call('POST', '/api/initiatives/{id}/questions', { path: { id: place.initiative.id }, body }),
          { onSuccess: onClose },
        )
      }
      onCancel={onClose}
    >
      <TextField
        label="Question"
        required
        autoFocus
        maxLength={2000}
        error={errorOf(error, 'text')}
        value={text}
        onChange={setText}
      />
      <ChoiceField label="Category" value={category} choices={categoryChoices} onChange={setCategory} />
    </InPlaceForm>
  )
}
