const shortest = 10

export const newPasswordHint = `At least ${shortest} characters. A few unrelated words are easy to keep and hard to guess.`

export function newPasswordProblem(password: string): string | undefined {
  return password.length < shortest ? `A password has at least ${shortest} characters.` : undefined
}
