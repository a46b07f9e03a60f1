const minLength = 10

export const newPasswordHint = `At least ${minLength} characters. A few unrelated words are easy to remember and hard to guess.`

export function newPasswordProblem(password: string): string | undefined {
  return password.length < minLength ? `Use at least ${minLength} characters.` : undefined
}
