import { Button, Card, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconEdit } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schemas } from '../api/problem'
import { Said } from '../parts/Said'
import { Empty, Loading, SectionTitle } from '../parts/States'
import { lazily } from '../parts/lazily'

const WriteMinutes = lazily(() => import('./WriteMinutes'))

/** The minutes as they stand. */
export function Minutes({ occurrence: o }: { occurrence: Schemas['Occurrence'] }) {
  const { t } = useTranslation()
  const [writing, { open, close }] = useDisclosure()
  return (
    <section aria-labelledby="minutes">
      <SectionTitle id="minutes" right={o.may_write && !writing && <Button size="xs" variant="default" leftSection={<IconEdit size={16} />} onClick={open}>{t('meetings.writeMinutes')}</Button>}>{t('meetings.minutes')}</SectionTitle>
      <Card>
        {writing ? (
          <Suspense fallback={<Loading rows={1} height={240} />}>
            <WriteMinutes occurrence={o} close={close} />
          </Suspense>
        ) : o.minutes || o.decisions.length > 0 ? (
          <Stack>
            {o.minutes && <Said>{o.minutes}</Said>}
            {o.decisions.length > 0 && (
              <div>
                <Text fw={600} size="sm" mb={4}>{t('meetings.decisions')}</Text>
                <Stack component="ol" gap={4} m={0} pl="lg" fz="sm">
                  {o.decisions.map((d, n) => (
                    <li key={n}>{d}</li>
                  ))}
                </Stack>
              </div>
            )}
          </Stack>
        ) : (
          <Empty title={t('meetings.noMinutes')} />
        )}
      </Card>
    </section>
  )
}
