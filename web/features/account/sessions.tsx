import { useSignOut } from '../../shell/sign-out.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'

export function Sessions() {
  const signOut = useSignOut('everywhere')
  return (
    <Card
      title="Sessions"
      description="Ends every session of your account, in this and in all other browsers."
    >
      <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out everywhere
      </Button>
    </Card>
  )
}
