import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { toast } from 'sonner'
import { adviceFor } from '../api/advice.ts'
import { call } from '../api/client.ts'

const signOut = {
  here: () => call('POST', '/api/auth/sign-out', { body: {} }),
  everywhere: () => call('POST', '/api/auth/sign-out-everywhere'),
}

/** Ends this session, or every session of the person, and leads to the sign-in page. */
export function useSignOut(where: keyof typeof signOut) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (): Promise<unknown> => signOut[where](),
    onSuccess: async () => {
      await navigate({ to: '/sign-in' })
      queryClient.clear()
    },
    onError: (error) => toast.error('Sign-out failed', { description: adviceFor(error).next }),
  })
}
