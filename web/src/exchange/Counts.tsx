import { Badge, Card, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormats } from '../time/format'
import { resultColor, results, type Import } from './queries'

/** What a file comes to: its rows, and the things they speak of. */
export function Counts({ brought: i, title }: { brought: Import; title: string }) {
  const { t } = useTranslation()
  const f = useFormats()
  if (!i.rows) return null
  const things = [['objectives', i.objectives], ['keyResults', i.key_results], ['checkIns', i.check_ins]] as const
  return (
    <section aria-labelledby="counts">
      <Title order={2} id="counts" mb="sm">{title}</Title>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm" mb="sm">
        {results.map((r) => (
          <Card key={r} padding="md">
            <Stack gap={4}>
              <Group><Badge color={resultColor[r]}>{t(`importResult.${r}`)}</Badge></Group>
              <Text fz={28} fw={650} lh={1.1} className="tabular">{f.amount(String(i.rows![r]))}</Text>
              <Text size="xs" c="dimmed">{t('imports.rowsLabel')}</Text>
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
      <Card padding="sm">
        <Table.ScrollContainer minWidth={280}>
          <Table fz={{ base: 'xs', sm: 'sm' }} className="tabular" withRowBorders={false} horizontalSpacing={6} style={{ overflowWrap: 'normal' }}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('imports.ofThese')}</Table.Th>
                {results.map((r) => (
                  <Table.Th key={r} ta="right">{t(`importResult.${r}`)}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {things.map(([name, counts]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" fw={400}>{t(`imports.${name}`)}</Table.Th>
                  {results.map((r) => (
                    <Table.Td key={r} ta="right">{f.amount(String(counts?.[r] ?? 0))}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Card>
    </section>
  )
}
