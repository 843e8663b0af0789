import { ActionIcon, Anchor, Button, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconBinaryTree, IconEyeOff, IconPlus, IconX } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { api, got } from '../api/client'
import type { Schemas } from '../api/problem'
import { lazily } from '../parts/lazily'
import { Loading, Read, SectionTitle } from '../parts/States'
import { tongue } from '../parts/tongue'
import { useMe } from '../session/me'
import { childrenQuery, pathQuery, supportsQuery } from '../tree/queries'
import { Nodes } from './Nodes'

const SupportDialog = lazily(() => import('./SupportDialog'))
const SureDialog = lazily(() => import('../parts/SureDialog'))

type Objective = Schemas['Objective']

/** Where an objective stands in the alignment: what it contributes to, what contributes to it, and what supports what. */
export default function Place({ objective: o }: { objective: Objective }) {
  const { t } = useTranslation()
  const me = useMe()
  const client = useQueryClient()
  const path = useQuery(pathQuery(o.id))
  const children = useInfiniteQuery(childrenQuery(o.id))
  const supported = useInfiniteQuery(supportsQuery(o.id, 'supported'))
  const supporters = useInfiniteQuery(supportsQuery(o.id, 'supporters'))
  const [adding, { open, close }] = useDisclosure()
  const [leaving, setLeaving] = useState<Schemas['AlignmentNode'] | null>(null)
  const mayLink = me.writes && o.may_edit && o.state !== 'closed' && !o.archived
  return (
    <Card component="section" aria-labelledby="place">
      <SectionTitle
        id="place"
        right={<Button component={Link} to={`/cycles/${o.cycle_id}?tab=tree&focus=${o.id}`} size="xs" variant="default" leftSection={<IconBinaryTree size={16} />}>{t('place.inTree')}</Button>}
      >
        {t('place.title')}
      </SectionTitle>
      <Stack gap="lg">
        <Part title={t('place.path')}>
          <Read query={path} loading={<Loading rows={1} height={24} />}>
            {({ steps }) =>
              steps.length < 2 ? (
                <Text size="sm" c="dimmed">{t('place.root')}</Text>
              ) : (
                <Stack component="ol" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
                  {steps.slice(0, -1).map((s, i) => (
                    <Group key={s.id ?? i} component="li" gap={6} wrap="nowrap" align="flex-start" pl={Math.min(i, 6) * 16}>
                      {s.hidden ? (
                        <>
                          <IconEyeOff size={16} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
                          <Text size="sm" c="dimmed">{t('place.hidden')}</Text>
                        </>
                      ) : (
                        <div>
                          <Anchor component={Link} to={`/objectives/${s.id ?? ''}`} size="sm" lang={tongue(s.title)}>{s.title}</Anchor>
                          {steps[i + 1]?.key_result && <Text size="xs" c="dimmed">{t('objective.through', { title: steps[i + 1]!.key_result!.title })}</Text>}
                        </div>
                      )}
                    </Group>
                  ))}
                </Stack>
              )
            }
          </Read>
        </Part>
        <Part title={t('place.children')}>
          <Nodes query={children} none={t('place.childrenNone')} beneath={(n) => n.parent_key_result && t('objective.through', { title: n.parent_key_result.title })} />
        </Part>
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
          <Part title={t('place.supported')} right={mayLink && <Button size="compact-xs" variant="subtle" leftSection={<IconPlus size={14} />} onClick={open}>{t('place.add')}</Button>}>
            <Nodes query={supported} none={t('place.supportedNone')} end={mayLink ? (n) => <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t('place.removeOne', { title: n.title })} onClick={() => setLeaving(n)}><IconX size={14} /></ActionIcon> : undefined} />
          </Part>
          <Part title={t('place.supporters')}>
            <Nodes query={supporters} none={t('place.supportersNone')} />
          </Part>
        </SimpleGrid>
      </Stack>
      <Suspense fallback={null}>
        {adding && <SupportDialog objective={o} linked={supported.data?.pages.flatMap((p) => p.items.map((n) => n.id)) ?? []} close={close} />}
        {leaving && (
          <SureDialog
            label={t('place.remove')}
            question={t('place.removeSure', { title: leaving.title })}
            act={() => got(api.DELETE('/objectives/{objective_id}/supports/{supported_id}', { params: { path: { objective_id: o.id, supported_id: leaving.id } } })).finally(() => void client.invalidateQueries({ queryKey: ['objectives'] }))}
            close={() => setLeaving(null)}
          />
        )}
      </Suspense>
    </Card>
  )
}

function Part({ title, right, children }: { title: string; right?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" mb={6} gap="xs">
        <Title order={3} size="sm" fw={600} id={id}>{title}</Title>
        {right}
      </Group>
      {children}
    </section>
  )
}
