export { maskSecrets, maskVersion } from './secrets.ts'
export { cutImages } from './images.ts'
