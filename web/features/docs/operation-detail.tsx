import { Badge } from '../../ui/badge.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { curlFor } from './curl.ts'
import type { OpenApi, Operation } from './openapi.ts'
import { exampleOf, rowsOf, typeName, type SchemaRow } from './schema.ts'
import { SchemaTable } from './schema-table.tsx'

export function OperationDetail({ operation, document }: { operation: Operation; document: OpenApi }) {
  const answer = operation.responses.find(({ status, schema }) => status.startsWith('2') && schema)
  const body = operation.body && rowsOf(operation.body.schema, document)
  return (
    <div className="grid gap-6 border-t border-line bg-canvas/50 px-4 py-5 lg:grid-cols-2">
      <div className="min-w-0 space-y-5">
        <p className="text-sm text-pretty text-ink-soft">
          {operation.description || operation.summary}
          {operation.isPublic && ' Anyone may call it, without a key.'}
        </p>
        {operation.parameters.length > 0 && (
          <SchemaTable title="Parameters" rows={parameterRows(operation, document)} />
        )}
        {body && body.length > 0 && <SchemaTable title="Body" rows={body} />}
        <div>
          <h3 className="mb-2 text-xs font-medium text-ink-faint">Answers</h3>
          <ul className="space-y-2 text-sm">
            {operation.responses.map((response) => (
              <li key={response.status} className="flex gap-3">
                <Badge mono tone={response.status.startsWith('2') ? 'success' : 'neutral'}>
                  {response.status}
                </Badge>
                <span className="min-w-0 text-ink-soft">{response.description}</span>
              </li>
            ))}
          </ul>
        </div>
        {answer?.schema && (
          <SchemaTable title={`Answer ${answer.status}`} rows={rowsOf(answer.schema, document)} />
        )}
      </div>
      <div className="min-w-0 space-y-4">
        <CodeBlock source={curlFor(operation, document, location.origin)} language="bash" what="call" />
        {answer?.schema && (
          <CodeBlock
            source={JSON.stringify(exampleOf(answer.schema, document), null, 2)}
            language="json"
            what="example answer"
          />
        )}
      </div>
    </div>
  )
}

function parameterRows(operation: Operation, document: OpenApi): SchemaRow[] {
  return operation.parameters.map((parameter) => ({
    name: parameter.name,
    type: `${parameter.schema ? typeName(parameter.schema, document) : 'string'}, in ${parameter.in}`,
    required: parameter.required ?? false,
    description: parameter.description ?? parameter.schema?.description ?? '',
    depth: 0,
  }))
}
