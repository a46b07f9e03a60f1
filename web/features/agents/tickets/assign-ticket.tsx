import { useState } from 'react'
import { useQuery, type QueryKey } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Bot } from 'lucide-react'
import { call } from '../../../api/client.ts'
import { Button } from '../../../ui/button.tsx'
import { errorOf, FormDialog, useForm } from '../../../ui/form-dialog.tsx'
import { ChoiceField, TextareaField } from '../../../ui/text-field.tsx'
import { agentsQuery } from '../../../api/agents.ts'

interface AssignTicketProps {
  groupId: string
  ticketId: string
  /** What shows the ticket. */
  queryKey: QueryKey
}

/** Gives the ticket to an agent, which works on it and reports on the ticket. */
export function AssignTicket(props: AssignTicketProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={Bot} onClick={() => setOpen(true)}>
        Assign to agent
      </Button>
      {isOpen && <AssignDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

/** It makes vectors and takes no request. */
const isAsked = ({ id }: { id: string }): boolean => id !== 'embeddings'

function AssignDialog({ groupId, ticketId, queryKey, onClose }: AssignTicketProps & { onClose: () => void }) {
  const { data = [] } = useQuery(agentsQuery(groupId))
  const agents = data.filter(isAsked)
  const [chosen, setChosen] = useState<string | undefined>()
  const [request, setRequest] = useState('')
  const agentId = chosen ?? agents[0]?.id ?? ''
  const form = useForm(queryKey, 'Ticket assigned', onClose, () =>
    call('POST', '/api/tickets/{id}/assign', {
      path: { id: ticketId },
      body: { agent_id: agentId, ...(request.trim() !== '' && { request: request.trim() }) },
    }),
  )
  return (
    <FormDialog
      title="Assign to agent"
      description="The agent gets the title, the description and the link of the ticket. Its result is shown here."
      action="Assign ticket"
      {...form}
    >
      <ChoiceField
        label="Agent"
        hint={
          <Link to="/agents" className="text-accent underline underline-offset-2">
            All agents and their models
          </Link>
        }
        value={agentId}
        choices={agents.map(({ id, name }) => ({ id, label: name }))}
        onChange={setChosen}
      />
      <TextareaField
        label="What to do"
        hint="Optional. Without it the agent does what the ticket asks for."
        maxLength={20_000}
        error={errorOf(form.error, 'request')}
        value={request}
        onChange={setRequest}
      />
    </FormDialog>
  )
}
