import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Health, StatusResponse } from '#embeddings/contract'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Lamp, type Aspect } from '../../ui/lamp.tsx'
import { FailureNotice } from '../../ui/notice.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { modelHealthQuery } from './embedding-queries.ts'

export const aspects: Record<Health['status'], Aspect> = {
  healthy: 'clear',
  degraded: 'caution',
  unhealthy: 'danger',
}

const driverNames: Record<string, string> = {
  builtin: 'the model that ships with Signalbox',
  onnx: 'a model folder, run in this process',
  ollama: 'Ollama',
  openai: 'a runtime with OpenAI’s API',
}

/** How the model is, in plain words, and what would make it better. */
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
        <Lamp aspect={aspects[health.data.status]}>{title}</Lamp>
      </p>
      <p className="mt-2 max-w-2xl text-sm text-pretty text-ink-soft">{text}</p>
      {steps}
      <dl className="mt-5 grid gap-x-8 gap-y-3 border-t border-line pt-4 text-sm sm:grid-cols-2">
        <Fact name="Model">{status.model}</Fact>
        <Fact name="Made by">{driverNames[status.driver] ?? status.driver}</Fact>
        <Fact name="Runtime address">{health.data.runtime_url}</Fact>
        <Fact name="Fingerprint of the weights">
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
      title: 'Texts cannot be embedded just now',
      text: `${model} was chosen at the start, but no runtime at ${runtime_url} answers with it. Search goes by words alone meanwhile, and goes on by itself once the runtime is back; no other model steps in, since its vectors would not fit.`,
      ...(driver === 'ollama' && {
        steps: <Steps what="Bring it back" source={`ollama serve\nollama pull ${model}`} />,
      }),
    }
  if (status === 'degraded')
    return {
      title: 'Works, with the small model',
      text: `At the start no runtime at ${runtime_url} held a better model, so the one that ships with Signalbox makes the vectors: quick, in English, by words more than by sentences. For better ones do either of these; the choice is made when Signalbox starts, and the index is then made anew.`,
      steps: (
        <Steps
          what="A better model"
          source={
            '# with Ollama, then restart Signalbox\nollama pull nomic-embed-text\n\n# without a runtime: 138 MB, then restart with RUNTIME=builtin\nsignalbox models pull'
          }
        />
      ),
    }
  if (driver === 'builtin')
    return {
      title: 'Works, with the model that ships',
      text: 'As the settings say (RUNTIME=builtin). A better model can be fetched once and then runs in this process; restart Signalbox afterwards.',
      steps: <Steps what="A better model" source="signalbox models pull" />,
    }
  return {
    title: 'Works',
    text: `${model} answers through ${driverNames[driver] ?? driver}.`,
  }
}

function Steps({ what, source }: { what: string; source: string }) {
  return (
    <div className="mt-4 max-w-2xl">
      <CodeBlock language="bash" what={what} source={source} />
    </div>
  )
}
