import { Suspense, useEffect, useRef, useState } from 'react'
import { onSignedOut } from '../api/client'
import type { Session } from './me'
import { lazily } from '../parts/lazily'

const SignInDialog = lazily(() => import('./SignInDialog'))

/** Stands over the page when the session has ended. What was being sent waits, and goes out once the same person has signed in again. */
export function SignInAgain({ me }: { me: Session }) {
  const [asking, setAsking] = useState(false)
  const answers = useRef<((again: boolean) => void)[]>([])
  useEffect(() => {
    onSignedOut(
      () =>
        new Promise((resolve) => {
          answers.current.push(resolve)
          setAsking(true)
        }),
    )
    return () => onSignedOut(null)
  }, [])
  function answer(again: boolean) {
    setAsking(false)
    for (const resolve of answers.current.splice(0)) resolve(again)
  }
  return <Suspense fallback={null}>{asking && <SignInDialog me={me} answer={answer} />}</Suspense>
}
