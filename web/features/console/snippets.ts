import type { Language } from '../../ui/highlight.ts'

export interface Snippet {
  id: string
  label: string
  language: Language
  source: string
}

/** Ways to send an event, ready to run once `SIGNALBOX_KEY` holds an API key with the scope `events`. */
export function snippetsOf(address: string): Snippet[] {
  return [
    { id: 'curl', label: 'curl', language: 'bash', source: curl(address) },
    { id: 'fetch', label: 'fetch', language: 'typescript', source: fetchCall(address) },
    { id: 'cloudevents', label: 'CloudEvents', language: 'bash', source: cloudEvent(address) },
    { id: 'otlp', label: 'OpenTelemetry', language: 'bash', source: openTelemetry(address) },
  ]
}

const curl = (address: string) => `curl ${address}/api/console/events \\
  -H "Authorization: Bearer $SIGNALBOX_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{
    "type": "deployment", "severity": "info",
    "service": "web", "source": "deployments",
    "title": "Deployed web 1.4.2", "message": "Build 381 is live",
    "metadata": {"version": "1.4.2"}
  }'`

const fetchCall = (address: string) => `await fetch('${address}/api/console/events', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.SIGNALBOX_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    type: 'error',
    severity: 'error',
    service: 'checkout',
    source: 'infrastructure',
    title: 'Payment provider timed out',
    message: 'No response within 10 s',
    metadata: { attempt: 3 },
  }),
})`

const cloudEvent = (address: string) => `curl ${address}/api/console/events \\
  -H "Authorization: Bearer $SIGNALBOX_KEY" \\
  -H "Content-Type: application/cloudevents+json" \\
  -d '{
    "specversion": "1.0", "id": "build-381",
    "source": "/ci/web", "type": "com.example.deployment.finished",
    "data": {"title": "Deployed web 1.4.2", "version": "1.4.2"}
  }'`

const openTelemetry = (address: string) => `export OTEL_EXPORTER_OTLP_LOGS_ENDPOINT="${address}/v1/logs"
export OTEL_EXPORTER_OTLP_LOGS_PROTOCOL="http/protobuf"
export OTEL_EXPORTER_OTLP_LOGS_HEADERS="Authorization=Bearer%20$SIGNALBOX_KEY"
# Then start any service that uses an OpenTelemetry SDK.`
