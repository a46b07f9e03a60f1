import { errorOf } from '../../../ui/form-dialog.tsx'
import { TextField } from '../../../ui/text-field.tsx'

interface WorkflowsFieldProps {
  value: string
  error: unknown
  onChange: (value: string) => void
}

export function WorkflowsField({ value, error, onChange }: WorkflowsFieldProps) {
  return (
    <TextField
      label="Workflows that deploy"
      hint="Names or files, separated by commas. Leave it empty if the sender reports deployments: they would count twice."
      placeholder="deploy.yml"
      error={errorOf(error, 'deploy_workflows')}
      value={value}
      onChange={onChange}
    />
  )
}

export const workflowsOf = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
