import { Box } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { healths, type Figures } from './figures'

/** What shares of objectives are how healthy. Each kind has a pattern beside its colour: plain, slanted, crossed, hollow. */
export function HealthBar({ figures: f, high = 18 }: { figures: Figures; high?: number }) {
  const { t } = useTranslation()
  const counts = f.health
  if (!counts || !f.objectives) return <Box h={high} className="health-bar" aria-hidden />
  const present = healths.filter((h) => counts[h] > 0)
  return (
    <Box h={high} className="health-bar" role="img" aria-label={present.map((h) => `${t(`health.${h}`)}: ${counts[h]}`).join(' · ')}>
      {present.map((h) => (
        <span key={h} className={`health-${h}`} style={{ flexGrow: counts[h] }} />
      ))}
    </Box>
  )
}

export function HealthKey({ health }: { health: (typeof healths)[number] }) {
  const { t } = useTranslation()
  return (
    <Box component="span" style={{ display: 'inline-flex', alignItems: 'center', gap: 6 }}>
      <span className={`health-swatch health-${health}`} />
      {t(`health.${health}`)}
    </Box>
  )
}
