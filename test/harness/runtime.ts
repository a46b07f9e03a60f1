/** Embedding runtimes and model folders that are made for tests. */
export { startFakeRuntime, type FakeRuntime, type Fault as RuntimeFault } from '../fake-runtime/index.ts'
export { writeTinyModel } from '../fake-runtime/tiny-onnx.ts'
