import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Health, StatusResponse } from '#embeddings/contract'
import { CodeBlock } from '../../ui/code-block.tsx'
import { StatusDot, type Status } from '../../ui/status-dot.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { modelHealthQuery } from './embedding-queries.ts'

export const statuses: Record<Health['status'], Status> = {
  healthy: 'ok',
  degraded: 'warning',
  unhealthy: 'error',
}

const driverNames: Record<string, string> = {
  builtin: 'built-in model',
  onnx: 'local ONNX model',
  ollama: 'Ollama',
  openai: 'OpenAI-compatible runtime',
}

/** The health of the model and how to improve it. */
export function HealthCard({ status }: { status: StatusResponse | undefined }) {
  const health = useQuery(modelHealthQuery)
  if (health.error && !health.data)
    return <FailureNotice error={health.error} onRetry={() => health.refetch()} />
  if (!health.data || !status)
    return (
      <Card>
        <Skeleton className="h-24" />
      </Card>
    )
  const { title, text, steps } = wordsFor(health.data, status)
  return (
    <Card>
      <p role="status" className="text-base font-semibold">
        <StatusDot status={statuses[health.data.status]}>{title}</StatusDot>
      </p>
      <p className="mt-2 max-w-2xl text-sm text-pretty text-ink-soft">{text}</p>
      {steps}
      <dl className="mt-5 grid gap-x-8 gap-y-3 border-t border-line pt-4 text-sm sm:grid-cols-2">
        <Fact name="Model">{status.model}</Fact>
        <Fact name="Runtime">{driverNames[status.driver] ?? status.driver}</Fact>
        <Fact name="Runtime URL">{health.data.runtime_url}</Fact>
        <Fact name="Model fingerprint">
          <span className="font-mono text-xs break-all">{status.fingerprint}</span>
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-ink-faint">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}

interface HealthWords {
  title: string
  text: string
  steps?: ReactNode
}

function wordsFor({ status, runtime_url }: Health, { driver, model }: StatusResponse): HealthWords {
  if (status === 'unhealthy')
    return {
      title: 'Embeddings are unavailable',
      text: `Signalbox started with ${model}, but no runtime at ${runtime_url} serves it now. Until it is back, search uses keywords only; it recovers automatically. No other model is used in the meantime, because its vectors would not be comparable.`,
      ...(driver === 'ollama' && {
        steps: <Steps what="Start the runtime" source={`ollama serve\nollama pull ${model}`} />,
      }),
    }
  if (status === 'degraded')
    return {
      title: 'Working with the built-in model',
      text: `No runtime at ${runtime_url} had an embedding model at startup, so Signalbox uses its built-in model: fast, made for English, and better with words than with sentences. For better results use one of the options below and restart Signalbox; it then rebuilds the index.`,
      steps: (
        <Steps
          what="Use a better model"
          source={
            '# with Ollama, then restart Signalbox\nollama pull nomic-embed-text\n\n# without a runtime: 138 MB, then restart with RUNTIME=builtin\nsignalbox models pull'
          }
        />
      ),
    }
  if (driver === 'builtin')
    return {
      title: 'Working with the built-in model',
      text: 'Set by RUNTIME=builtin. You can download a better model that runs in this process; restart Signalbox afterwards.',
      steps: <Steps what="Use a better model" source="signalbox models pull" />,
    }
  return {
    title: 'Working',
    text: `${model} is served by ${driverNames[driver] ?? driver}.`,
  }
}

function Steps({ what, source }: { what: string; source: string }) {
  return (
    <div className="mt-4 max-w-2xl">
      <CodeBlock language="bash" what={what} source={source} />
    </div>
  )
}
