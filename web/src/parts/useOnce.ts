import { useState } from 'react'

/** True from the first time on that something is so. What stands beneath something that is still being read waits for it, so that it does not jump, and stays where it is when that is read again. */
export function useOnce(now: boolean): boolean {
  const [ever, setEver] = useState(now)
  if (now && !ever) setEver(true)
  return ever || now
}
