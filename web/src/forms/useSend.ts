import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { problemOf, type Problem } from '../api/problem'
import { useFieldText } from '../parts/ProblemNote'

interface Options<A, R> {
  send: (a: A) => Promise<R>
  done: (r: R, a: A) => void
  /** Sees a problem first; true when there is no more to be said of it. */
  refused?: (p: Problem, a: A) => boolean
}

/** Sends a form: one at a time, with what the server says of each field beside that field, and of the rest in one note. */
export function useSend<A, R>({ send, done, refused }: Options<A, R>) {
  const fieldText = useFieldText()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const mutation = useMutation({
    mutationFn: send,
    onMutate: () => {
      setProblem(null)
      setTouched(new Set())
    },
    onSuccess: (r, a) => done(r, a),
    onError: (e, a) => {
      const p = problemOf(e)
      if (!refused?.(p, a)) setProblem(p)
    },
  })
  const fields = problem?.fields() ?? {}
  return {
    send: (a: A) => {
      if (!mutation.isPending) mutation.mutate(a)
    },
    busy: mutation.isPending,
    problem,
    forget: () => setProblem(null),
    /** What is wrong with the field at this pointer, until it is changed. */
    error: (pointer: string) => (touched.has(pointer) ? undefined : fieldText(fields[pointer])),
    touch: (pointer: string) => setTouched((t) => (t.has(pointer) ? t : new Set(t).add(pointer))),
  }
}
