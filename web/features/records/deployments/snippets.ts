import type { Language } from '../../../ui/highlight.ts'

interface Snippet {
  id: string
  label: string
  language: Language | undefined
  source: string
}

/** Ways to report a deployment, ready to run once `SIGNALBOX_KEY` holds an API key with the scope `events`. */
export function deploymentSnippets(address: string): Snippet[] {
  return [
    { id: 'curl', label: 'curl', language: 'bash', source: curl(address) },
    { id: 'actions', label: 'GitHub Actions', language: undefined, source: actions(address) },
    { id: 'fetch', label: 'fetch', language: 'typescript', source: fetchCall(address) },
  ]
}

const curl = (address: string) => `curl ${address}/api/deployments \\
  -H "Authorization: Bearer $SIGNALBOX_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"service": "checkout", "environment": "production", "version": "1.4.2", "commit": "9fceb02",
       "source": "ci", "external_id": "build-4711", "status": "succeeded"}'`

const actions = (address: string) => `- name: Report the deployment
  if: always()
  run: |
    curl ${address}/api/deployments \\
      -H "Authorization: Bearer \${{ secrets.SIGNALBOX_KEY }}" \\
      -H "Content-Type: application/json" \\
      -d '{"service": "\${{ github.event.repository.name }}", "commit": "\${{ github.sha }}",
           "source": "ci", "external_id": "\${{ github.run_id }}",
           "status": "\${{ job.status == 'success' && 'succeeded' || 'failed' }}"}'`

const fetchCall = (address: string) => `await fetch('${address}/api/deployments', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.SIGNALBOX_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({ service: 'checkout', version: '1.4.2', status: 'succeeded' }),
})`
