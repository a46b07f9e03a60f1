/** A file as it is published: what does not have this size and checksum is not it. */
export interface PublishedFile {
  path: string
  bytes: number
  sha256: string
}

export interface PublishedModel {
  name: string
  licence: string
  /** Under the source's address: repository and revision. */
  location: string
  files: readonly PublishedFile[]
}

/** What `signalbox models pull` can fetch. */
export const publishedModels: readonly PublishedModel[] = [
  {
    name: 'nomic-embed-text-v1.5',
    licence: 'Apache-2.0',
    location: 'nomic-ai/nomic-embed-text-v1.5/resolve/e5cf08aadaa33385f5990def41f7a23405aec398',
    files: [
      {
        path: 'config.json',
        bytes: 2_331,
        sha256: '0168e0883705b0bf8f2b381e10f45a9f3e1ef4b13869b43c160e4c8a70ddf442',
      },
      {
        path: 'special_tokens_map.json',
        bytes: 695,
        sha256: '5d5b662e421ea9fac075174bb0688ee0d9431699900b90662acd44b2a350503a',
      },
      {
        path: 'tokenizer_config.json',
        bytes: 1_191,
        sha256: 'd7e0000bcc80134debd2222220427e6bf5fa20a669f40a0d0d1409cc18e0a9bc',
      },
      {
        path: 'tokenizer.json',
        bytes: 711_396,
        sha256: 'd241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66',
      },
      {
        path: 'onnx/model_quantized.onnx',
        bytes: 137_296_292,
        sha256: 'b4342336debaea79de872370664b0aaeb67dea4605513d00ee236ea871a81f27',
      },
    ],
  },
]

export const sizeOf = ({ files }: PublishedModel): number => files.reduce((sum, { bytes }) => sum + bytes, 0)
