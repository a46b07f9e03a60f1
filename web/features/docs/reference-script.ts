/** As much of the script of @scalar/fastify-api-reference as the page uses. */
export interface ApiReference {
  updateConfiguration(configuration: object): void
  destroy(): void
}

interface Scalar {
  createApiReference(element: HTMLElement, configuration: object): ApiReference
}

declare global {
  interface Window {
    Scalar?: Scalar
  }
}

let loading: Promise<Scalar> | undefined

/** Loads the script once; a failure can be retried. */
export function loadReference(): Promise<Scalar> {
  loading ??= new Promise<Scalar>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = '/api-reference.js'
    script.addEventListener('load', () =>
      window.Scalar ? resolve(window.Scalar) : reject(new Error('The script is empty.')),
    )
    script.addEventListener('error', () =>
      reject(new Error("Can't load the API reference. Check that Signalbox is running.")),
    )
    document.head.append(script)
  }).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
