import type { Exemptions } from './names.ts'
import type { AllowedTimers } from './sleeps.ts'

const format = 'OpenAI and Anthropic are here the names of API formats that clients and runtimes use'
const library = 'shows client code: names of public libraries, their variables and an example model'
const example = 'shows an example in the API document'
const hint =
  'the page helps before the server is asked: a display name, a guess from a pasted key, an example'

/** Files outside gateway/providers that may name a provider, each with its reason. */
export const mayNameProviders: Exemptions = {
  'src/access/contract.ts': example,
  'src/cli/demo/steps/sessions.ts': 'writes sessions as a coding assistant does, with its name and folder',
  'src/gateway/contract.ts': format,
  'src/gateway/provider-names.ts': 'the one list of the names of providers',
  'src/gateway/reference/chat.ts': example,
  'src/gateway/reference/index.ts': format,
  'src/gateway/reference/messages.ts': format,
  'src/gateway/reference/responses.ts': example,
  'src/gateway/reference/stored-responses.ts': format,
  'src/gateway/reference/streams.ts': example,
  'src/gateway/reference/transcription.ts': example,
  'src/kernel/http/openapi/frame.ts': format,
  'src/transcripts/contract.ts': example,
  'src/transcripts/read/query.ts': example,
  'src/transcripts/read/to-json.ts': 'the commands by which coding assistants continue a session',
  'src/transcripts/watcher/roots.ts': 'the folder of a coding assistant, which bears the name of its model',
  'src/transcripts/protocol.ts': example,
  'src/usage/contract.ts': example,
  'src/usage/cost/pricing-routes.ts': example,
  'src/vault/contract.ts': example,
  'src/vault/routes/provider-request.ts': example,
  'src/kernel/config/variables.ts': 'the names of the environment variables are a contract',
  'src/embeddings/choose-runtime.ts': format,
  'src/embeddings/contract.ts': format,
  'src/embeddings/drivers/openai.ts': format,
  'src/embeddings/open-driver.ts': format,
  'src/embeddings/openai-route.ts': format,
  'src/embeddings/routes.ts': format,
  'src/gateway/apis/chat.ts': format,
  'src/gateway/apis/messages/headers.ts': format,
  'src/gateway/apis/messages/models.ts': format,
  'src/gateway/apis/messages/index.ts': format,
  'src/gateway/apis/responses/index.ts': format,
  'src/gateway/apis/responses/tools.ts': format,
  'src/gateway/catalog/registry.ts': format,
  'src/gateway/apis/transcription/routes.ts': format,
  'src/gateway/wire/chunk-writer.ts': format,
  'src/gateway/request/log-request.ts': 'the names of headers that coding assistants send',
  'web/api/routes.ts': 'written from the API document, which names coding assistants and API formats',
  'web/features/embeddings/health-card.tsx': format,
  'web/features/home/start/snippets.ts': library,
  'web/features/home/start/value-rows.tsx': library,
  'web/features/logs/first-request.tsx': library,
  'web/features/playground/api-clients.ts': library,
  'web/features/playground/request-body.ts': hint,
  'web/features/playground/request-apis.ts': hint,
  'web/features/providers/provider-dialog.tsx': format,
  'web/features/transcripts/transcript-words.ts': 'the names of the coding assistants',
}

/** Tests and their servers that may use a timer, each with its reason. */
export const mayUseTimers: AllowedTimers = {
  'test/harness/wait.ts': 'the one place that asks again after a pause',
  'test/run/batch.ts': 'limits how long a process outlives its last test',
  'test/mutants/mutant.ts': 'limits the time of a run',
  'test/fake-provider/deliver.ts': 'plays a slow provider',
  'test/fake-provider/record.ts': 'limits how long an abort is waited for',
  'test/fake-runtime/index.ts': 'plays a slow runtime',
  'src/gateway/timeouts.test.ts': 'plays a provider that sends slowly, and a client that reads late',
  'src/limits/clients.test.ts': 'shows that a client waits, which has no event',
  'src/embeddings/models/models.test.ts': 'plays a server that breaks off',
  'src/gateway/apis/transcription/large-file.test.ts':
    'waits until nothing is sent any more, which has no event',
  'test/browser/foreign-site.test.ts': 'shows that a frame stays empty, which has no event',
  'test/harness/tcp-proxy.ts': 'plays a slow network',
  'test/chaos/chaos.check.ts': 'limits how long a process outlives its last test',
  'test/chaos/faults.ts': 'keeps things broken for a while',
  'test/chaos/load.ts': 'keeps clients from asking all the time',
  'test/deploy/systemctl.ts': 'waits for the end of a process that is not its child, which has no event',
  'test/upgrade/run.ts': 'keeps the load running for a while',
  'test/streams.test.ts': 'measures that memory does not grow over time',
  'test/tracing/slow-requests.test.ts': 'plays a client that sends its body slowly',
}
