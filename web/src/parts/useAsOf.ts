import { useSearchParams } from 'react-router'
import { useMe } from '../session/me'
import { today } from '../time/format'

/** The past day that the page's address asks for; undefined for now. A day that is none, or is not over, is not asked for. */
export function useAsOf(): [day: string | undefined, set: (day: string | undefined) => void] {
  const me = useMe()
  const [params, setParams] = useSearchParams()
  const wanted = params.get('as_of') ?? ''
  const day = /^\d{4}-\d\d-\d\d$/.test(wanted) && !Number.isNaN(Date.parse(wanted)) && wanted >= '1970-01-02' && wanted < today(me.organization.time_zone) ? wanted : undefined
  return [
    day,
    (next) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          if (next) after.set('as_of', next)
          else after.delete('as_of')
          return after
        },
        { preventScrollReset: true },
      ),
  ]
}
