export { maskSecrets } from './secrets.ts'
export { cutImages } from './images.ts'
