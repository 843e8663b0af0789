import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'

type Job = Schemas['Job']

export const ended = (job: Job) => job.finished_at !== undefined

/** Follows a job to its end: what it is at, and the answer as far as it is written. Where the stream breaks, it asks. */
export function useJob(job: Job | undefined): { job: Job | undefined; text: string } {
  const client = useQueryClient()
  const [seen, setSeen] = useState<{ job: Job; text: string } | null>(null)
  const id = job && !ended(job) ? job.id : undefined
  const dialogue = job?.dialogue_id
  const objective = job?.objective_id
  useEffect(() => {
    if (!id) return
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const at = (next: Job) => {
      setSeen((s) => ({ job: next, text: s?.job.id === next.id && s.job.attempt === next.attempt ? s.text : '' }))
      if (ended(next) && !over) {
        over = true
        source.close()
        void client.invalidateQueries({ queryKey: ['dialogue', dialogue] })
        void client.invalidateQueries({ queryKey: ['objective', objective] })
      }
    }
    const look = async () => {
      try {
        at(await got(api.GET('/jobs/{job_id}', { params: { path: { job_id: id } } })))
      } catch {
        // the next look tells
      }
      if (!over) timer = setTimeout(() => void look(), 4000)
    }
    const source = new EventSource(`/api/v1/jobs/${id}/events`)
    source.addEventListener('job', (e: MessageEvent<string>) => at(JSON.parse(e.data) as Job))
    source.addEventListener('text', (e: MessageEvent<string>) => setSeen((s) => (s ? { ...s, text: JSON.parse(e.data) as string } : s)))
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED && !over) void look()
    })
    return () => {
      over = true
      clearTimeout(timer)
      source.close()
    }
  }, [id, dialogue, objective, client])
  return seen && seen.job.id === job?.id ? seen : { job, text: '' }
}
