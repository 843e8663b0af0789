import '@mantine/notifications/styles.css'
import { Notifications } from '@mantine/notifications'

/** The short words that say what was done; nobody needs them before there is something to say. */
export default function Notices() {
  return <Notifications position="top-center" autoClose={3000} />
}
